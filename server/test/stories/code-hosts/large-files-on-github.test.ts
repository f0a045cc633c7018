/** Large files (Git LFS) of a repository on GitHub: with the real client where people work, and what its host may do to a run. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import type { RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { openWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { startOnGitHub } from './start-on-github.ts'
import { startScripted } from './start-scripted.ts'

const db = await testDb()
const { github, repository, repo, ada, service, at } = await startOnGitHub({ databaseUrl: db.url, defer: after })
repository.workflow = null

const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const address = new URL(`${github.url}/acme/price-list.git`)
Object.assign(address, { username: 'ada', password: ada.token })

async function cloneOf(branch: string): Promise<WorkTree> {
  const tree = openWorkTree(await testFolder())
  await tree.git('clone', '--quiet', '--branch', branch, address.href, '.')
  await tree.git('lfs', 'install', '--local')
  await tree.git('lfs', 'pull')
  return tree
}

const seed = randomBytes(2 * 2 ** 20)
const tree = await cloneOf('main')
await tree.commit({
  '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
  'a.bin': seed,
  'b.bin': 'small\n',
})
await tree.git('push', '--quiet', 'origin', 'HEAD:main')
assert.deepEqual(repository.lfs.get(oidOf(seed)), seed, 'the real client speaks with this GitHub')

const start = (...commands: string[]) =>
  startScripted({
    service,
    at,
    repoId: repo.id,
    scripts: [[...commands.map((shell) => ({ shell })), { answer: 'Done.' }]],
  })

async function play(...commands: string[]): Promise<RunAnswer> {
  const run = await service.untilEnded(await start(...commands))
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  return run
}

const named = async (id: number, name: string) =>
  (await service.log(id)).filter(({ tool_name }) => tool_name === name).map(({ observation }) => String(observation))
const waits = async (id: number) =>
  (await service.log(id)).filter(({ observation }) => JSON.stringify(observation ?? '').includes('waiting_for'))
const uploads = (oid: string) =>
  github.requests.filter(({ method, path, status }) => method === 'PUT' && path === `/lfs/${oid}` && status === 200)
const batch = /^POST .*\/info\/lfs\/objects\/batch$/
const branchOf = async (run: RunAnswer) => repository.tryGit('rev-parse', '--verify', '--quiet', String(run.branch))

test('a work tree has the content, and what changes is at GitHub before the branch that names it', async () => {
  const content = 'changed\n'
  let isEarly: boolean | undefined
  const happens = async () => {
    const branches = await repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/agent')
    isEarly = branches === ''
  }
  github.fail({ kind: 'meanwhile', happens }, { on: /^PUT \/lfs\// })
  const run = await play(
    `test "$(sha256sum < a.bin | cut -c 1-64)" = ${oidOf(seed)} && test -z "$(git status --porcelain)" && echo "as it should be"`,
    `printf 'changed\\n' > b.bin; cp a.bin copy.bin`,
    'env; git config --list; cat .git/config',
  )
  const printed = JSON.stringify(await service.log(run.id))
  assert.match(printed, /as it should be/)
  for (const secret of github.secrets()) assert.ok(!printed.includes(secret))
  assert.equal(isEarly, true)
  assert.equal(uploads(oidOf(content)).length, 1)
  assert.equal(uploads(oidOf(seed)).length, 1, 'by the person, and not again for the copy')
  const copy = await cloneOf(String(run.branch))
  assert.equal(await readFile(path.join(copy.folder, 'b.bin'), 'utf8'), content)
  assert.deepEqual(await readFile(path.join(copy.folder, 'copy.bin')), seed)
  assert.equal(
    await copy.git('show', 'HEAD:b.bin'),
    `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize 8`,
  )
})

test('where GitHub fails at any step of an upload the run waits, then goes on: nothing is lost and nothing is there twice', async () => {
  for (const [n, on] of [batch, /^PUT \/lfs\//, /^POST \/lfs\/verify$/].entries()) {
    const content = `fails at ${n}\n`
    // The work tree of the run has been fetched by then.
    const id = await start(`printf 'fails at ${n}\\n' > b.bin; until test -e .git/released; do sleep 0.1; done`)
    await service.untilRun(id, ({ status_detail }) => status_detail === 'working')
    github.fail(n === 1 ? { kind: 'hang_up' } : { kind: 'status', status: 502 }, { on })
    service.release(id)
    const run = await service.untilEnded(id)
    assert.equal(run.status, 'completed', String(on) + JSON.stringify(run.error) + service.said())
    assert.equal((await waits(id)).length, 1, String(on))
    assert.equal(uploads(oidOf(content)).length, 1, String(on))
    assert.equal(await repository.git('rev-list', '--count', `main..${run.branch}`), '1')
    const copy = await cloneOf(String(run.branch))
    assert.equal(await readFile(path.join(copy.folder, 'b.bin'), 'utf8'), content)
    assert.equal(run.github_pull_requests.length, 1)
  }
})

test('a token that GitHub does not take once is replaced by a new one, without a wait', async () => {
  const id = await start('echo new-token > b.bin; until test -e .git/released; do sleep 0.1; done')
  await service.untilRun(id, ({ status_detail }) => status_detail === 'working')
  github.fail({ kind: 'status', status: 401 }, { on: batch })
  service.release(id)
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  assert.deepEqual(await waits(id), [])
  assert.equal(uploads(oidOf('new-token\n')).length, 1)
})

test('what GitHub does not want ends the run with its reason, and the branch does not move', async () => {
  const inBatch = (oid: string, code: number, message: string) =>
    ({
      kind: 'in_front',
      type: 'application/json',
      text: JSON.stringify({ objects: [{ oid, size: 9, error: { code, message } }] }),
    }) as const
  const refusals = [
    [
      '413 no',
      { kind: 'status', status: 413, message: 'This file is too large' },
      /^PUT/,
      /could not be uploaded: .*413 This file is too large/,
    ],
    [
      '507 no',
      { kind: 'status', status: 507, message: 'No room left' },
      /^PUT/,
      /could not be uploaded: .*507 No room left/,
    ],
    [
      'named no',
      inBatch(oidOf('named no\n'), 413, 'Size must be less than 2 GB'),
      batch,
      /could not be uploaded: .*Size must be less than 2 GB/,
    ],
  ] as const
  for (const [content, fault, on, message] of refusals) {
    const id = await start(`echo ${content} > b.bin; until test -e .git/released; do sleep 0.1; done`)
    await service.untilRun(id, ({ status_detail }) => status_detail === 'working')
    github.fail(fault, { on })
    service.release(id)
    const run = await service.untilEnded(id)
    assert.equal(run.status, 'failed')
    assert.equal(run.error?.code, 'push_rejected')
    assert.match(run.error?.message ?? '', message)
    assert.equal((await branchOf(run)).exitCode, 1)
  }
})

test('another host that GitHub names gets no token, and what it sends is taken only if it is what the pointer says', async () => {
  const seen: IncomingHttpHeaders[] = []
  const theirs: Buffer[] = []
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers)
    request.resume().on('end', () => response.end(theirs.shift()))
  })
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  after(() => elsewhere.close().closeAllConnections())
  const href = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/object`
  const content = randomBytes(1_000)
  const oid = oidOf(content)
  const pointing = (...names: string[]) =>
    ({
      kind: 'in_front',
      type: 'application/json',
      text: JSON.stringify({
        objects: [{ oid, size: 1_000, actions: Object.fromEntries(names.map((name) => [name, { href }])) }],
      }),
    }) as const
  await tree.git('checkout', '--quiet', '-B', 'other', 'main')
  await writeFile(path.join(tree.folder, 'c.bin'), content)
  await tree.git('add', 'c.bin')
  await tree.git('commit', '--quiet', '-m', 'c')
  await tree.git('push', '--quiet', 'origin', 'HEAD:main')

  for (const wrong of [randomBytes(1_000), randomBytes(2_000)]) {
    theirs.push(wrong)
    github.fail(pointing('download'), { on: batch })
    const run = await play('head -c 7 c.bin')
    assert.match((await named(run.id, 'lfs')).join(), /c\.bin/)
  }
  theirs.push(content)
  github.fail(pointing('download'), { on: batch })
  const run = await play('sha256sum c.bin')
  assert.match(JSON.stringify(await service.log(run.id)), new RegExp(oid))
  assert.deepEqual(await named(run.id, 'lfs'), [])

  const id = await start('echo elsewhere > b.bin; until test -e .git/released; do sleep 0.1; done')
  await service.untilRun(id, ({ status_detail }) => status_detail === 'working')
  const text = pointing('upload', 'verify').text.replace(oid, oidOf('elsewhere\n'))
  github.fail({ ...pointing(), text }, { on: batch })
  service.release(id)
  assert.equal((await service.untilEnded(id)).status, 'completed')
  assert.equal(seen.length, 5)
  const shown = JSON.stringify(seen)
  assert.doesNotMatch(shown, /authorization/)
  for (const secret of github.secrets()) assert.ok(!shown.includes(secret))
})
