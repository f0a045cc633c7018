/** Submodules in the work trees of runs, on the built-in host, with real git in a real sandbox. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService, untilReleased, type LogAnswer, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir() } })
let worker = await service.startWorker({ RUNWRIGHT_PUBLIC_URL: service.url })
const at = `/v1/organizations/${service.organizationId}`

type Place = { repoId: number; clone: string; url: string }

async function makePlace(name: string, files: Record<string, string>): Promise<Place> {
  const body = { name, import_from: makeRepository(files) }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const url = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', url.href, name)
  return { repoId: repo.id, clone: path.join(folder, name), url: repo.git_url }
}

const headOf = ({ clone }: Place) => git(clone, 'rev-parse', 'HEAD').trim()

/** Commits files and submodules, and pushes them. `links`: commits by path. */
function push(
  { clone }: Place,
  files: Record<string, string>,
  links: Record<string, string> = {},
  to = 'main',
): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(clone, name)), { recursive: true })
    writeFileSync(path.join(clone, name), text)
  }
  if (Object.keys(files).length) git(clone, 'add', '--', ...Object.keys(files))
  for (const [link, commit] of Object.entries(links))
    git(clone, 'update-index', '--add', '--cacheinfo', `160000,${commit},${link}`)
  git(clone, 'commit', '-q', '--allow-empty', '-m', 'By a person')
  git(clone, 'push', '-q', 'origin', `HEAD:${to}`)
  return git(clone, 'rev-parse', 'HEAD').trim()
}

const named = (of: Record<string, string>) =>
  Object.entries(of)
    .map(([at, url]) => `[submodule "${at}"]\n\tpath = ${at}\n\turl = ${url}\n`)
    .join('')

type Played = { run: RunAnswer; printed: string[]; entries: LogAnswer[] }
type Told = {
  checked_out: { path: string; repository: string; commit: string }[]
  left_empty: { path: string; reason: string }[]
}

const start = async (place: Place, commands: string[], more: object = {}) => {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: place.repoId, agent_type: 'scripted', metadata: { script }, ...more }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

async function ended(id: number): Promise<Played> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const log = await service.log(id)
  const of = (name: string) => log.filter(({ tool_name }) => tool_name === name)
  return {
    run,
    printed: of('shell').map(({ tool_output }) => String(tool_output?.['output']).trim()),
    entries: of('submodules'),
  }
}
const play = async (...options: Parameters<typeof start>) => ended(await start(...options))
const toldIn = ({ entries }: Played) => entries[0]?.tool_output as Told
const leftIn = (played: Played) =>
  Object.fromEntries(toldIn(played).left_empty.map(({ path: at, reason }) => [at, reason]))

const leaf = await makePlace('leaf', { 'leaf.txt': 'leaf\n' })
const lib = await makePlace('lib', { 'lib.txt': 'lib\n' })
const libWithLeaf = push(lib, { '.gitmodules': named({ 'in/leaf': '../leaf.git' }) }, { 'in/leaf': headOf(leaf) })
const web = await makePlace('web', { 'web.txt': 'web\n' })
const links = { 'vendor/lib': libWithLeaf, leaf: headOf(leaf) }
push(web, { '.gitmodules': named({ 'vendor/lib': '../lib.git', leaf: leaf.url }) }, links)

test('submodules are checked out at their commits, one in another too, without an address or a credential', async () => {
  const look = 'cat vendor/lib/lib.txt vendor/lib/in/leaf/leaf.txt leaf/leaf.txt; git status --porcelain'
  const addresses =
    'cat vendor/lib/.git/config leaf/.git/config vendor/lib/in/leaf/.git/config | grep -c "url\\|remote" || true'
  const again = 'git submodule update -q --init --recursive 2> /dev/null && git submodule status --recursive'
  const played = await play(web, [look, addresses, again])
  assert.equal(played.printed[0], 'lib\nleaf\nleaf')
  assert.equal(played.printed[1], '0')
  const status = [`${headOf(leaf)} leaf`, `${libWithLeaf} vendor/lib`, `${headOf(leaf)} vendor/lib/in/leaf`]
  assert.deepEqual(
    played.printed[2]?.split('\n').map((line) => line.trim().replace(/ \(.*/, '')),
    status,
  )
  assert.deepEqual(
    toldIn(played).checked_out.map(({ path: at, repository }) => [at, repository]),
    [
      ['vendor/lib', 'lib'],
      ['vendor/lib/in/leaf', 'leaf'],
      ['leaf', 'leaf'],
    ],
  )
  assert.deepEqual(toldIn(played).left_empty, [])
})

test('a submodule that was moved to a commit of its repository is committed', async () => {
  const before = headOf(lib)
  const next = push(lib, { 'lib.txt': 'lib 2\n' }, {}, 'next')
  git(lib.clone, 'reset', '-q', '--hard', before)
  const { run, entries } = await play(web, [`git -C vendor/lib checkout -q ${next} && cat vendor/lib/lib.txt`])
  assert.equal(entries.length, 1)
  git(web.clone, 'fetch', '-q', '--no-recurse-submodules', 'origin', String(run.branch))
  assert.match(git(web.clone, 'ls-tree', 'FETCH_HEAD', 'vendor/lib'), new RegExp(next))
})

test('what an agent changes inside a submodule is in no commit, and the log says so', async () => {
  const { run, entries } = await play(web, [
    'cd vendor/lib && echo mine > lib.txt && git -c user.name=a -c user.email=a@b commit -qam mine; cd ../..; echo x > leaf/new.txt; echo work > work.txt',
  ])
  const patches = ['submodule-1-vendor-lib.patch', 'submodule-3-leaf.patch']
  assert.deepEqual(entries[1]?.tool_output, { left_behind: ['vendor/lib', 'leaf'], patches })
  assert.match(String(entries[1]?.observation), /run of its own repository/)
  assert.match(String(run.result), /^Done\.\n\nWhat was changed inside vendor\/lib, leaf is not part of the work/)
  const artifacts = `${at}/agent/run/${run.id}/artifacts`
  const { items } = await service.call<{ items: { name: string }[] }>('GET', artifacts)
  const patch = await service.ask('GET', `${artifacts}/${patches[0]}`)
  writeFileSync(path.join(lib.clone, 'mine.patch'), await patch.text())
  git(lib.clone, 'apply', '--check', 'mine.patch')
  rmSync(path.join(lib.clone, 'mine.patch'))
  assert.deepEqual(items.map(({ name }) => name).toSorted(), patches)
  git(web.clone, 'fetch', '-q', '--no-recurse-submodules', 'origin', String(run.branch))
  assert.match(git(web.clone, 'ls-tree', 'FETCH_HEAD', 'vendor/lib'), new RegExp(libWithLeaf))
  assert.equal(git(web.clone, 'show', 'FETCH_HEAD:work.txt'), 'work\n')
})

test('also where the agent has committed the submodule itself, its branch ends at a commit that others can check out', async () => {
  const commit = 'git -c user.name=a -c user.email=a@b commit -qam mine'
  const { run, entries } = await play(web, [`cd vendor/lib && echo mine > lib.txt && ${commit}; cd ../.. && ${commit}`])
  assert.equal(entries.length, 2)
  git(web.clone, 'fetch', '-q', '--no-recurse-submodules', 'origin', String(run.branch))
  assert.match(git(web.clone, 'ls-tree', 'FETCH_HEAD', 'vendor/lib'), new RegExp(libWithLeaf))
})

test('what leads elsewhere stays an empty folder, and the log says why', async () => {
  const other = await service.call<{ id: number }>('POST', '/v1/organizations', { name: 'Other' })
  const theirs = `/v1/organizations/${other.id}`
  const secret = await service.call<{ git_url: string }>('POST', `${theirs}/repos`, {
    name: 'secret',
    import_from: makeRepository({ 'secret.txt': 'secret\n' }),
  })
  const urls = {
    local: `file://${leaf.clone}`,
    folder: leaf.clone,
    program: 'ext::sh -c touch% /tmp/runwright-pwned',
    theirs: secret.git_url,
    up: `../../${other.id}/secret.git`,
    nobody: 'https://github.com/acme/nobody.git',
    gone: '../gone.git',
  }
  const place = await makePlace('hostile', { 'a.txt': 'a\n' })
  const hostile = Object.fromEntries(Object.keys(urls).map((name) => [name, headOf(leaf)]))
  push(place, { '.gitmodules': named(urls) }, hostile)
  const played = await play(place, ['find . -path ./.git -prune -o -type f -print | sort; ls -d */'])
  assert.deepEqual(
    played.printed[0]?.split('\n').filter((line) => line.startsWith('./')),
    ['./.gitmodules', './a.txt'],
  )
  const left = leftIn(played)
  assert.deepEqual(Object.keys(left).toSorted(), Object.keys(urls).toSorted())
  assert.equal(new Set(Object.values(left)).size, 1, 'nobody learns what other organizations have')
  assert.match(left['theirs'] ?? '', /Connect that repository/)
})

test('only the base branch says what is fetched, a commit that is nowhere is told of, and depth has an end', async () => {
  const place = await makePlace('branches', { 'a.txt': 'a\n' })
  push(
    place,
    { '.gitmodules': named({ nowhere: '../lib.git', self: '../branches.git' }) },
    { nowhere: '1'.repeat(40), self: headOf(place) },
  )
  const deep = push(place, {}, { self: headOf(place) })
  const deeper = push(place, {}, { self: deep })
  push(place, {}, { self: deeper })
  const main = await play(place, ['cat self/self/self/a.txt; ls self/self/self/self'])
  assert.match(leftIn(main)['nowhere'] ?? '', /lib has no commit 1{40}/)
  assert.match(leftIn(main)['self/self/self/self'] ?? '', /deep/)
  const branch = String(
    (
      await play(place, [
        `printf '[submodule "leaf"]\\n\\tpath = leaf\\n\\turl = ../leaf.git\\n' >> .gitmodules; git update-index --add --cacheinfo 160000,${headOf(leaf)},leaf; mkdir leaf; git add .gitmodules; git -c user.name=a -c user.email=a@b commit -qm leaf`,
      ])
    ).run.branch,
  )
  const next = await play(place, ['ls leaf'], { base_branch: branch })
  assert.match(leftIn(next)['leaf'] ?? '', /base branch does not name it/)
})

async function untilStored(id: number): Promise<void> {
  await until(async () => {
    const { rows } = await db.query('select n from checkpoints where run_id = $1', [id])
    return rows.length > 0
  }, 'a checkpoint is stored')
}

/** With all files of its sandboxes. Resolves once another has the run, and the log says so. */
async function loseWorker(id: number, sentence: RegExp): Promise<void> {
  const hasEnded = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await hasEnded
  await removeTree(path.join(service.dataDir, 'sandboxes'))
  const before = (await service.log(id)).length
  worker = await service.startWorker({ RUNWRIGHT_PUBLIC_URL: service.url })
  const isRestored = ({ observation }: LogAnswer) => sentence.test(String(observation))
  await until(async () => (await service.log(id)).slice(before).some(isRestored), 'it is restored')
}

test('a work tree that is made again from a checkpoint has what was changed inside its submodules: files, commits, nested ones', async () => {
  const next = git(lib.clone, 'rev-parse', 'origin/next').trim()
  const commit = 'git -c user.name=a -c user.email=a@b commit -q'
  const change = [
    `git -C vendor/lib checkout -q ${next}`,
    `(cd vendor/lib; printf '\\0binary' > data.bin; git add data.bin; ${commit} -m own; rm lib.txt; echo staged > s.txt; git add s.txt; echo $'new\\n' > 'with space.txt')`,
    'echo nested > vendor/lib/in/leaf/nested.txt; echo changed >> leaf/leaf.txt; echo mine > mine.txt',
  ].join('; ')
  const state = `for at in . vendor/lib vendor/lib/in/leaf leaf; do git -C $at log -2 --format=%H; git -C $at status --porcelain -uall; done; cat leaf/leaf.txt mine.txt vendor/lib/data.bin vendor/lib/in/leaf/nested.txt`
  const id = await start(web, [`${change}; git -C vendor/lib reset -q; ${state}`, untilReleased, state])
  await untilStored(id)
  for (const isLast of [false, true]) {
    await loseWorker(id, /is there again/)
    if (isLast) service.release(id)
  }
  const { printed, entries, run } = await ended(id)
  assert.match(printed[0] ?? '', /D lib\.txt[^]*with space\.txt[^]*changed\nmine\n/)
  assert.equal(printed.at(-1), printed[0])
  const restored = entries.map(({ observation }) => String(observation)).find((text) => /is there again/.test(text))
  assert.match(restored ?? '', /What was changed inside vendor\/lib, vendor\/lib\/in\/leaf, leaf is there again\./)
  assert.match(String(run.result), /is not part of the work/)
})

test('changes inside a submodule that are too large for a checkpoint are named as lost, and keep nothing else from it', async () => {
  const change =
    'truncate -s 2G leaf/huge; echo small >> vendor/lib/lib.txt; echo mine > mine.txt; ln -s / vendor/lib/in/root'
  const id = await start(web, [
    change,
    untilReleased,
    'cat mine.txt vendor/lib/lib.txt; readlink vendor/lib/in/root; ls leaf',
  ])
  await untilStored(id)
  await loseWorker(id, /What was changed inside vendor\/lib is there again.*\n.*inside leaf before is lost/)
  service.release(id)
  assert.equal((await ended(id)).printed.at(-1), 'mine\nlib\nsmall\n/\nleaf.txt')
})
