/** What a repository needs is found, installed from a registry on loopback through the sandbox's proxy, and accepted. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { Repo } from '#domain/repos/repo.ts'
import { recordPush } from '#domain/hosts/pulls/record-push.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { acceptSetupProposal } from '#domain/runs/setup-commands/accept-setup-proposal.ts'
import { listSetupProposals } from '#domain/runs/setup-commands/list-setup-proposals.ts'
import { commitTo } from '#test/commit-to.ts'
import { startModelServer } from '#test/model-server.ts'
import { packages, startPackageRegistry } from '#test/package-registry.ts'
import { npmRepository } from '#test/setup-repositories.ts'
import { startSetupStory } from '#test/setup-story.ts'
import { until } from '#test/test-sandboxes.ts'

const registry = await startPackageRegistry({ name: 'registry.test' })
const story = await startSetupStory({ allowed: [registry.host], names: ['registry.test', 'closed.test'] })
const { app } = story
const npm = { skip: !existsSync('/usr/bin/npm') && 'npm is none of the system’s programs here' }

const read = ({ organizationId, id: repoId }: Repo) => getRepo(app.pool, { organizationId, repoId })

/** As a person does. */
async function push(repo: Repo, files: Record<string, string>): Promise<void> {
  const { organizationId, id: repoId } = repo
  const before = (await app.hosts.git(repo).mirror(repo)).branches.get('main') ?? null
  const commit = commitTo(story.folderOf(repo), { branch: 'main', files })
  const updates = [{ branch: 'main', before, commit }]
  await recordPush(app.pool, { organizationId, repoId, hosts: app.hosts, updates, runId: null, userId: null })
}

test('without any model, a run proposes what installs and tests a package of npm', npm, async () => {
  const repo = await story.makeRepo(npmRepository(registry))
  const { run, proposal, log } = await story.find(repo)
  assert.equal(run.status, 'completed', log)
  assert.partialDeepStrictEqual(proposal, { n: 1, state: 'proposed', commands: ['npm ci'], testCommand: 'npm test' })
  assert.deepEqual(
    proposal?.evidence.map(({ command, exit_code }) => [command, exit_code]),
    [
      ['npm ci', 0],
      ['npm test', 0],
    ],
  )
  assert.match(proposal?.lockfiles['package-lock.json'] ?? '', /^[0-9a-f]{64}$/)
  assert.ok(registry.asked.includes(`/${packages.npm}/-/${packages.npm}-1.0.0.tgz`), registry.asked.join())
  assert.partialDeepStrictEqual(run, { sourceType: 'SETUP_COMMANDS', pulls: [], branch: run.branch })
  assert.equal(
    (await getRepo(app.pool, { organizationId: repo.organizationId, repoId: repo.id })).setupStatus,
    'proposed',
  )
  const { id: repoId, organizationId } = repo
  await acceptSetupProposal(app.pool, { organizationId, repoId, n: 1, userId: story.userId, addCheck: true })
  assert.partialDeepStrictEqual(await read(repo), {
    setupStatus: 'accepted',
    setupCommands: 'npm ci',
    checkCommands: [{ name: 'test', command: 'npm test' }],
  })
  await push(repo, { 'package-lock.json': '{}' })
  await until(async () => (await read(repo)).setupStatus === 'outdated', 'the lock file is seen to be another')
})

test(
  'whoever sends the run that has looked back to work gets another proposal, by what is there then',
  npm,
  async () => {
    const repo = await story.makeRepo(npmRepository(registry))
    const { run } = await story.find(repo)
    const { organizationId, id: repoId } = repo
    const ids = { organizationId, runId: run.id }
    await resumeRun(app.pool, { ...ids, prompt: 'Look again.', images: [], userId: story.userId })
    const now = () => getRun(app.pool, ids)
    await until(async () => ['completed', 'failed'].includes((await now()).status), 'it has looked again', 120_000)
    assert.partialDeepStrictEqual(await now(), { status: 'completed', turn: 2 })
    const { items } = await listSetupProposals(app.pool, { organizationId, repoId, skip: 0, limit: 10 })
    assert.partialDeepStrictEqual(items, [
      { n: 2, runId: run.id, state: 'proposed', commands: ['npm ci'] },
      { n: 1, runId: run.id, state: 'superseded', commands: ['npm ci'] },
    ])
  },
)

test('says what was refused where the registry may not be reached', npm, async () => {
  const repo = await story.makeRepo(npmRepository({ ...registry, url: 'http://closed.test' }))
  const { run, proposal } = await story.find(repo)
  assert.equal(proposal, undefined)
  assert.equal(run.error?.code, 'setup_not_found')
  assert.match(run.error.message, /`npm ci` ended with exit code 1[^]*egress/)
  assert.equal(
    (await getRepo(app.pool, { organizationId: repo.organizationId, repoId: repo.id })).setupStatus,
    'failed',
  )
})

test('where nothing passes a model is asked, and what it answers is tried before it is proposed', async () => {
  const output = { install: ['sh right.sh'], test: 'test -f made', notes: 'It makes a file.' }
  await using model = await startModelServer([
    { calls: [{ name: 'shell', input: { command: 'sh right.sh && test -f made' } }] },
    { calls: [{ name: 'finish', input: { summary: 'Found.', output } }] },
  ])
  const asking = await startSetupStory({ env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-nobody' } })
  const repo = await asking.makeRepo({
    'AGENTS.md': 'Set up by `sh scripts/setup.sh`.\n',
    'scripts/setup.sh': 'echo it is broken >&2; exit 1\n',
    'right.sh': 'touch made\n',
  })
  const { run, proposal, log } = await asking.find(repo)
  assert.equal(run.status, 'completed', log)
  assert.partialDeepStrictEqual(proposal, { commands: ['sh right.sh'], testCommand: 'test -f made' })
  assert.match(proposal?.notes ?? '', /It makes a file\./)
  assert.equal(model.requests.length, 2)
  // What the files and the commands have said, it reads as data.
  assert.match(model.requests[0]!.text, /from=\\"files of the repository\\">\\nAGENTS\.md/)
  assert.match(model.requests[0]!.text, /from=\\"commands in the sandbox\\">[^<]*it is broken/)
  assert.ok(run.usage.inputTokens > 0)
})
