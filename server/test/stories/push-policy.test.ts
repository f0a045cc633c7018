/** What `.runwright.yml` of a base branch leaves to people, whichever way an agent pushes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`
const policy = 'push:\n  needs_person: [".github/**", .runwright.yml]\n  max_files: 3\n'

let places = 0
async function makeRepo(files: Record<string, string>): Promise<{ id: number; git_url: string }> {
  return service.call('POST', `${at}/repos`, { name: `policy-${++places}`, import_from: makeRepository(files) })
}

async function play(
  repoId: number,
  commands: string[],
  more: object = {},
): Promise<{ run: RunAnswer; printed: string[] }> {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', metadata: { script }, ...more }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const run = await service.untilEnded(id)
  const shells = (await service.log(id)).filter(({ tool_name }) => tool_name === 'shell')
  return { run, printed: shells.map(({ tool_output }) => String(tool_output?.['output'])) }
}

test('what only people change an agent cannot bring to its branch, neither by itself nor at the end of its turn', async () => {
  const { id, git_url } = await makeRepo({ 'a.txt': 'a', '.github/ci.yml': 'ci', '.runwright.yml': policy })
  const { run, printed } = await play(id, [
    'echo evil > .github/ci.yml; git commit -qam evil; git push 2>&1',
    'git mv .github/ci.yml gone.yml; git commit -qam gone; git push 2>&1',
    'git reset -q --hard HEAD~2; echo ok > a.txt; git commit -qam ok; git push 2>&1',
    // The agent's own word on its branch counts for nothing.
    'echo "push: {}" > .runwright.yml; git commit -qam free; git push 2>&1; echo evil > .github/more.yml',
  ])
  const only = /Only a person may change/
  assert.match(printed[0]!, /\[remote rejected\].*Only a person may change \.github\/ci\.yml \(by "\.github\/\*\*"\)\./)
  assert.match(printed[1]!, only)
  assert.match(printed[2]!, /\[new branch\]/)
  assert.match(printed[3]!, /Only a person may change \.runwright\.yml/)
  assert.equal(run.status, 'failed')
  assert.equal(run.error?.code, 'push_rejected')
  assert.match(
    run.error?.message ?? '',
    /\.github\/more\.yml .*A person may push this, or change "push" in \.runwright\.yml/,
  )
  assert.deepEqual(run.github_pull_requests, [])
  const entry = (await service.log(run.id)).find(({ message_type }) => message_type === 'PR_CREATION_FAILED')
  assert.partialDeepStrictEqual(entry?.observation, { code: 'push_rejected' })
  // Only what was allowed is there. A run that begins on this branch goes by the default branch's word, too.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = Object.assign(new URL(git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, 'clone')
  const clone = path.join(folder, 'clone')
  assert.equal(git(clone, 'log', '--format=%s', `origin/${run.branch}`).trim(), 'ok\nBegin')
  const onTop = await play(id, ['echo evil > .github/ci.yml'], { base_branch: run.branch })
  assert.equal(onTop.run.error?.code, 'push_rejected')
  // A person may.
  git(clone, 'checkout', '-q', String(run.branch))
  writeFileSync(path.join(clone, '.github/ci.yml'), 'by a person')
  git(clone, 'commit', '-q', '-a', '-m', 'By a person')
  git(clone, 'push', '-q', 'origin', `HEAD:${run.branch}`)
  const onHis = await play(id, ['echo mine > b.txt'], { branch: run.branch })
  assert.equal(onHis.run.status, 'completed', JSON.stringify(onHis.run.error))
})

test('more files than an agent may change at once need a person', async () => {
  const { id } = await makeRepo({ 'a.txt': 'a', '.runwright.yml': policy })
  const three = await play(id, ['touch 1 2 3'])
  assert.equal(three.run.status, 'completed', JSON.stringify(three.run.error))
  const four = await play(id, ['touch 1 2 3 4'])
  assert.match(four.run.error?.message ?? '', /It changes 4 files, and an agent may change 3 at once/)
})

test('a file that is wrong ends a run before it costs anything, with the line; a dry run shows it before', async () => {
  const broken = 'setup: make\npush:\n  needs_people: [infra/]\n'
  const { id } = await makeRepo({ 'a.txt': 'a', '.runwright.yml': broken })
  const { run, printed } = await play(id, ['ls'])
  assert.equal(run.error?.code, 'setup_failed')
  assert.match(
    run.error?.message ?? '',
    /\.runwright\.yml, line 3: "needs_people" is not known here; there are needs_person, max_bytes, max_files/,
  )
  assert.deepEqual(printed, [])
  const dry = async (repoId: number) => {
    const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', dry_run: true }
    const report = await service.call<{ configuration: { environment: object } }>('POST', `${at}/agent/run`, body)
    return report.configuration.environment
  }
  assert.partialDeepStrictEqual(await dry(id), {
    setup: [],
    problems: [{ line: 3, message: '"needs_people" is not known here; there are needs_person, max_bytes, max_files' }],
  })
  const good = await makeRepo({
    '.runwright.yml': `setup: make\nchecks: {test: make test}\negress: {presets: [npm]}\n${policy}`,
  })
  assert.partialDeepStrictEqual(await dry(good.id), {
    setup: ['make'],
    setup_required: true,
    checks: [{ name: 'test', command: 'make test' }],
    push: { needs_person: ['.github/**', '.runwright.yml'], max_bytes: null, max_files: 3 },
    egress: { allow: [], presets: ['npm'] },
    problems: [],
  })
})
