/** The setup of a repository, run once in a real sandbox and kept; and what its `.runwright.yml` may say of it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, type LogAnswer, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
const at = `/v1/organizations/${service.organizationId}`

type Place = { repoId: number; clone: string }
type Snapshot = { n: number; state: string; base_commit: string; problem: { command: string } | null }

let places = 0
/** A repository with these files on main, and a clone of it as a person has one. */
async function makePlace(files: Record<string, string>): Promise<Place> {
  const name = `prepared-${++places}`
  const body = { name, import_from: makeRepository(files) }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, name)
  return { repoId: repo.id, clone: path.join(folder, name) }
}

function push({ clone }: Place, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(clone, name), text)
  git(clone, 'add', '-A')
  git(clone, 'commit', '-q', '-m', 'By a person')
  git(clone, 'push', '-q', 'origin', 'HEAD:main')
}

type Played = { run: RunAnswer; log: LogAnswer[]; printed: string[]; setup: LogAnswer[] }

async function play({ repoId }: Place, commands: string[], more: object = {}): Promise<Played> {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', metadata: { script }, ...more }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const run = await service.untilEnded(id)
  const log = await service.log(id)
  const of = (name: string) => log.filter(({ tool_name }) => tool_name === name)
  const printed = of('shell').map(({ tool_output }) => String(tool_output?.['output']).trim())
  return { run, log, printed, setup: of('setup') }
}

async function completed(place: Place, commands: string[], more?: object): Promise<Played> {
  const played = await play(place, commands, more)
  assert.equal(played.run.status, 'completed', JSON.stringify(played.run.error) + service.said())
  return played
}

async function snapshotsOf({ repoId }: Place): Promise<Snapshot[]> {
  return (await service.call<{ items: Snapshot[] }>('GET', `${at}/repos/${repoId}/snapshots`)).items
}

/** Leaves something different each time it is run: in the work tree, tracked and not, and in the home. */
const setup = `setup:
  - mkdir -p node_modules/dep .venv && uuidgen > node_modules/dep/made || cat /proc/sys/kernel/random/uuid > node_modules/dep/made
  - mkdir -p ~/.cache/tool && cp node_modules/dep/made ~/.cache/tool/made
  - echo changed >> package-lock.json
  - ln -s dep node_modules/link && chmod 555 node_modules/dep
`
const files = {
  'package.json': '{}',
  'package-lock.json': 'locked\n',
  '.gitignore': '.venv/\n',
  '.runwright.yml': setup,
}
const look = 'cat node_modules/link/made; cat ~/.cache/tool/made; git status --porcelain; cat package-lock.json'

test('setup is run once, and later work trees start from what it left', async () => {
  const place = await makePlace(files)
  const first = await completed(place, [look, 'echo work > work.txt'])
  const [made, inHome, locked, ...rest] = first.printed[0]!.split('\n')
  assert.equal(inHome, made)
  assert.deepEqual([locked, ...rest], ['locked'])
  assert.deepEqual(
    first.setup.map(({ tool_input }) => tool_input?.['command'] ?? tool_input?.['snapshot']),
    [...Array.from({ length: 4 }, (_, n) => String(first.setup[n]!.tool_input?.['command'])), 1],
  )
  assert.equal(first.setup[0]!.tool_output?.['exit_code'], 0)
  const second = await completed(place, [look])
  assert.equal(second.printed[0], first.printed[0])
  assert.deepEqual(
    second.setup.map(({ tool_input }) => tool_input?.['snapshot']),
    [1],
  )
  assert.partialDeepStrictEqual(await snapshotsOf(place), [{ n: 1, state: 'ready', problem: null }])
  // The work is what the agent did, and nothing of what setup left.
  git(place.clone, 'fetch', '-q', 'origin')
  const changed = git(place.clone, 'diff', '--name-only', 'origin/main', `origin/${first.run.branch}`).trim()
  assert.equal(changed, 'work.txt')
})

test('nothing that a run does to its own files is seen by another', async () => {
  const place = await makePlace(files)
  const [clean] = (await completed(place, ['cat node_modules/dep/made'])).printed
  const poison = `cd ~; mount=/run/runwright/mounts/snapshot
    chmod -R u+w ~/.cache /workspace/node_modules; for f in ~/.cache/tool/made /workspace/node_modules/dep/made; do echo poisoned > $f; done
    for f in $mount/*; do echo poisoned > $f; rm -f $f; ln -sf /etc/passwd $f; chmod 777 $f $mount; done 2>&1; touch $mount/more; ls $mount; cat /workspace/node_modules/dep/made`
  const evil = await completed(place, [poison, 'echo "setup: echo poisoned > poisoned" > .runwright.yml'])
  assert.match(evil.printed[0]!, /Read-only file system/)
  assert.match(evil.printed[0]!, /home\.tar\s+workspace\.tar\s+poisoned$/)
  const after = await completed(place, [look, 'ls'])
  assert.equal(after.printed[0]!.split('\n')[0], clean)
  assert.doesNotMatch(after.printed.join(), /poisoned/)
  // A follow-up works on the agent's own branch, and still goes by the base branch alone.
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: evil.run.id, prompt: 'Go on' })
  await service.untilRun(evil.run.id, (run) => run['turn'] === 2 && run.status === 'completed')
  const again = (await service.log(evil.run.id)).filter(({ tool_name }) => tool_name === 'setup').at(-1)
  assert.equal(again?.tool_input?.['snapshot'], 1)
  // So does a run that begins on that branch.
  const onTop = await completed(place, ['ls'], { base_branch: evil.run.branch })
  assert.equal(onTop.setup[0]?.tool_input?.['snapshot'], 1)
})

test('another lock file, or another command, is set up anew', async () => {
  const place = await makePlace(files)
  const [made] = (await completed(place, ['cat node_modules/dep/made'])).printed
  push(place, { 'a.txt': 'no lock file' })
  assert.deepEqual((await completed(place, ['cat node_modules/dep/made'])).printed, [made])
  push(place, { 'package-lock.json': 'locked otherwise\n' })
  const renewed = await completed(place, ['cat node_modules/dep/made; cat package-lock.json'])
  assert.notEqual(renewed.printed[0]!.split('\n')[0], made)
  assert.match(renewed.printed[0]!, /locked otherwise$/)
  push(place, { '.runwright.yml': `${setup}  - touch node_modules/more\n` })
  assert.equal((await completed(place, ['ls node_modules'])).printed[0], 'dep\nlink\nmore')
  assert.deepEqual(
    (await snapshotsOf(place)).map(({ n, state }) => [n, state]),
    [
      [3, 'ready'],
      [2, 'ready'],
      [1, 'ready'],
    ],
  )
})

test('runs that need the same at once wait for the one who makes it', async () => {
  const place = await makePlace({ ...files, '.runwright.yml': `${setup}  - sleep 0.5\n` })
  const both = await Promise.all([1, 2].map(() => completed(place, ['cat node_modules/dep/made'])))
  assert.equal(new Set(both.flatMap(({ printed }) => printed)).size, 1)
  assert.equal((await snapshotsOf(place)).length, 1)
})

test('a snapshot that somebody removes is made anew, and its files go', async () => {
  const place = await makePlace(files)
  const [made] = (await completed(place, ['cat node_modules/dep/made'])).printed
  const path_ = `${at}/repos/${place.repoId}/snapshots`
  await service.ask('DELETE', `${path_}/1`)
  assert.equal((await service.ask('DELETE', `${path_}/1`)).status, 404)
  assert.deepEqual(await snapshotsOf(place), [])
  const again = await completed(place, ['cat node_modules/dep/made'])
  assert.notEqual(again.printed[0], made)
  assert.equal((await snapshotsOf(place))[0]?.n, 2)
  // Somebody who takes away the files alone does no harm either.
  const folder = path.join(service.dataDir, 'snapshots')
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true })
  assert.equal((await completed(place, ['ls node_modules'])).printed[0], 'dep\nlink')
  assert.equal((await snapshotsOf(place))[0]?.n, 3)
})

test('a setup that fails ends the run before its engine begins, and says why; or the run goes on without', async () => {
  const place = await makePlace({ 'a.txt': 'a' })
  const setup_commands = 'echo one\necho "no such package" >&2\nexit 3\n'
  await service.call('PATCH', `${at}/repos/${place.repoId}`, { setup_commands })
  const { run, log, setup: tried } = await play(place, ['ls'])
  assert.equal(run.status, 'failed')
  assert.equal(run.error?.code, 'setup_failed')
  assert.match(
    run.error?.message ?? '',
    /^The setup command "echo one…?[^]*" ended with exit code 3\.\none\nno such package$/,
  )
  assert.deepEqual(
    tried.map(({ tool_output }) => tool_output),
    [{ exit_code: 3, output: 'one\nno such package' }],
  )
  assert.equal(log.filter(({ tool_name }) => tool_name === 'shell').length, 0)
  assert.partialDeepStrictEqual(await snapshotsOf(place), [{ state: 'failed', problem: { command: setup_commands } }])
  await service.call('PATCH', `${at}/repos/${place.repoId}`, { setup_required: false })
  const went = await completed(place, ['ls'])
  assert.deepEqual(went.printed, ['a.txt'])
  assert.equal(went.setup[0]?.tool_output?.['exit_code'], 3)
})

test('what holds a secret is kept for nobody: each work tree is set up by itself', async () => {
  const place = await makePlace({
    'a.txt': 'a',
    '.runwright.yml':
      'setup:\n  - echo "token=$REGISTRY_TOKEN" > ~/.npmrc; cat /proc/sys/kernel/random/uuid > made; echo "$REGISTRY_TOKEN"\n',
  })
  const secret = 'a registry token that nobody may see'
  await service.call('PUT', `${at}/secrets/REGISTRY_TOKEN`, { value: secret })
  await service.call('PATCH', `${at}/repos/${place.repoId}`, { environment_secrets: ['REGISTRY_TOKEN'] })
  const looks = ['cat made; wc -c < ~/.npmrc; git status --porcelain']
  const [first, second] = [await completed(place, looks), await completed(place, looks)]
  assert.notEqual(first.printed[0], second.printed[0])
  for (const { printed, setup: report, log } of [first, second]) {
    assert.match(printed[0]!, new RegExp(`^[0-9a-f-]{36}\n${'token='.length + secret.length + 1}$`))
    assert.equal(report[0]?.tool_output?.['output'], '[redacted:REGISTRY_TOKEN]')
    assert.doesNotMatch(JSON.stringify(log), new RegExp(secret))
  }
  assert.partialDeepStrictEqual(await snapshotsOf(place), [
    { state: 'unfit', problem: { message: 'What it leaves holds the secret REGISTRY_TOKEN.' } },
  ])
  const kept = readdirSync(path.join(service.dataDir, 'snapshots')).filter((name) =>
    name.startsWith(`1-${place.repoId}-`),
  )
  assert.deepEqual(kept, [])
})
