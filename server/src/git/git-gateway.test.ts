import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { systemClock } from '#base/clock.ts'
import { openLogger } from '#base/logger.ts'
import { openPool } from '#db/pool.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { createGitToken } from '#domain/accounts/tokens/create-git-token.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, openWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openGitGateway } from './open-git-gateway.ts'
import { packetLine } from './packet-line.ts'

const db = await testDb()
await saveStorageLimits(db, { organization: 2 ** 30, repo: 2 ** 30, run: 2 ** 30 })
const tokenKeys = makeTokenKeys({ clock: systemClock })
const repositories = path.join(await testFolder(), 'repos')
const publicUrl = 'https://runwright.test'
const host = openLocalHost({
  folder: repositories,
})
const faults: string[] = []
const logger = openLogger({ level: 'error', destination: { write: (line: string) => void faults.push(line) } })
const gateway = openGitGateway({ pool: db, tokenKeys, hosts: { git: () => host, admin: host }, logger, publicUrl })
const server = http.createServer((request, response) => void gateway(request, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => {
  server.close()
  server.closeAllConnections()
})

type Place = { organizationId: number; adminId: number; repoId: number; name: string; person: string; address: string }

/** An empty repository, and a member's token for it. */
async function makePlace(name = 'Example.app'): Promise<Place> {
  const { id: organizationId, adminId } = await makeOrganization(db)
  const member = await makeUser(db, { organizationId, role: 'MEMBER' })
  const person = await makeToken(db, tokenKeys, { organizationId, userId: member.id })
  const repo = await createRepo(db, { organizationId, admin: host, name })
  const address = `http://ada:${person}@${origin}/git/${organizationId}/${name}.git`
  return { organizationId, adminId, repoId: repo.id, name, person, address }
}

/** The same with a commit on `main`, and the work tree that it was pushed from. */
async function makeFilledPlace(): Promise<Place & { tree: WorkTree; first: string }> {
  const place = await makePlace()
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await tree.git('push', '--quiet', place.address, 'main')
  return { ...place, tree, first }
}

/** The address with the token of a run that is at work. */
async function makeRunAddress(place: Place, pushBranches = ['agent/1']): Promise<string> {
  const { organizationId, adminId: userId, repoId } = place
  const asked = { organizationId, userId, sourceType: 'API', agentType: 'scripted', prompt: 'Go', repoId } as const
  const { id: runId } = await createRun(db, asked)
  const leaseId = randomUUID()
  await db.query(
    `update run_heads set status = 'in_progress', worker_id = 1, lease_id = $3 where organization_id = $1 and run_id = $2`,
    [organizationId, runId, leaseId],
  )
  const secret = await createGitToken(db, tokenKeys, { organizationId, run: { runId, leaseId }, repoId, pushBranches })
  return place.address.replace(/\/\/.*@/, `//x:${secret}@`)
}

/** The commits of its branches, as the host has them. */
const branchesOf = async ({ organizationId, repoId }: Place) =>
  Object.fromEntries((await host.mirror({ organizationId, path: `${organizationId}/${repoId}.git` })).branches)

const withSecret = (place: Place, secret: string) => place.address.replace(/\/\/.*@/, secret ? `//x:${secret}@` : '//')

type Sent = { method?: string; service?: string; body?: Buffer | string; headers?: Record<string, string> }

/** A request that no git would make. */
async function send(place: Place, tail: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const authorization = `Bearer ${place.person}`
  // The path goes out as it stands; from a URL `..` would be resolved here already.
  const [hostname, port] = origin.split(':')
  const target = { hostname, port, path: `/git/${place.organizationId}/${tail}` }
  const request = http.request({ ...target, method, headers: { authorization, ...headers } })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString('latin1') }
}

const post = (place: Place, service: string, body: Buffer | string, headers: Record<string, string> = {}) =>
  send(place, `${place.name}.git/git-${service}`, {
    method: 'POST',
    body,
    headers: { 'content-type': `application/x-git-${service}-request`, ...headers },
  })

/** Every git that this process has started and that is still there. */
function gitProcesses(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(repositories)
      } catch {
        return false
      }
    })
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!holds()) {
    assert.ok(Date.now() < end, `not in time: ${holds}`)
    await pause(10)
  }
}

test('takes a first push into an empty repository, and the default branch follows it', async () => {
  const place = await makePlace()
  const empty = await testFolder()
  await openWorkTree(empty).git('clone', '--quiet', place.address, 'copy')
  const tree = await makeWorkTree()
  await tree.git('checkout', '--quiet', '-b', 'trunk')
  const commit = await tree.commit({ 'main.py': 'print("hello")\n', 'README.md': 'x'.repeat(100) })
  await tree.git('push', '--quiet', place.address, 'trunk')
  const { defaultBranch, language } = await getRepo(db, place)
  assert.deepEqual({ defaultBranch, language }, { defaultBranch: 'trunk', language: 'Python' })
  const cloned = await openWorkTree(await testFolder())
    .git('clone', place.address, 'copy')
    .then(() => commit)
  assert.deepEqual(await branchesOf(place), { trunk: cloned })
})

test('prefers main among several branches that come first', async () => {
  const place = await makePlace()
  const tree = await makeWorkTree()
  await tree.commit({ a: '1' })
  await tree.git('branch', 'another')
  await tree.git('push', '--quiet', place.address, 'another', 'main')
  assert.equal((await getRepo(db, place)).defaultBranch, 'main')
})

test('serves a clone of the work on the default branch', async () => {
  const { address, first } = await makeFilledPlace()
  for (const options of [[], ['--depth=1'], ['--filter=blob:none'], ['-c', 'protocol.version=0'], ['--bare']]) {
    const folder = await testFolder()
    await openWorkTree(folder).git('clone', '--quiet', ...options, address, 'copy')
    assert.equal(await openWorkTree(path.join(folder, 'copy')).git('rev-parse', 'main'), first, options.join(' '))
  }
})

test('takes whatever capitals an address is written with', async () => {
  const { address, first } = await makeFilledPlace()
  const folder = await testFolder()
  const refs = await openWorkTree(folder).git('ls-remote', address.replace('Example', 'eXample'), 'refs/heads/main')
  assert.equal(refs, `${first}\trefs/heads/main`)
})

test("lets a run push to its branch, and the branch's open pull request follows", async () => {
  const place = await makeFilledPlace()
  const { tree, organizationId, repoId } = place
  const run = await makeRunAddress(place)
  const commit = await tree.commit({ work: '1' })
  await tree.git('push', '--quiet', run, 'HEAD:agent/1')
  const input = { organizationId, repoId, runId: 1, title: 't', body: '', publicUrl }
  await openPull(db, { ...input, headBranch: 'agent/1', baseBranch: 'main', headCommit: commit })
  const next = await tree.commit({ work: '2' })
  await tree.git('push', '--quiet', run, 'HEAD:agent/1')
  assert.equal((await branchesOf(place))['agent/1'], next)
  const { rows } = await db.query('select head_commit from pulls where repo_id = $1', [repoId])
  assert.deepEqual(rows, [{ head_commit: next }])
})

test('lets a run push from a shallow clone', async () => {
  const place = await makeFilledPlace()
  await place.tree.commit({ more: '1' })
  await place.tree.git('push', '--quiet', place.address, 'main')
  const run = await makeRunAddress(place)
  const folder = await testFolder()
  await openWorkTree(folder).git('clone', '--quiet', '--depth=1', run, 'copy')
  const copy = openWorkTree(path.join(folder, 'copy'))
  const commit = await copy.commit({ work: '1' })
  await copy.git('push', '--quiet', run, 'HEAD:agent/1')
  assert.equal((await branchesOf(place))['agent/1'], commit)
})

test('refuses a run every ref but its own branch, and says so for each', async () => {
  const place = await makeFilledPlace()
  const { tree, first } = place
  const run = await makeRunAddress(place)
  await tree.git('push', '--quiet', run, 'HEAD:agent/1')
  await tree.commit({ work: '1' })
  await tree.git('tag', 'v1')
  const pushes: [string[], RegExp][] = [
    [['HEAD:main'], /main \(this run may only push to agent\/1\)/],
    [['HEAD:agent/2'], /agent\/2 \(this run may only push to agent\/1\)/],
    [['v1'], /v1 \(this run may only push to agent\/1\)/],
    [['HEAD:refs/pull/1/head'], /this run may only push/],
    [['HEAD:refs/internal/x'], /this run may only push/],
    [['HEAD:agent/1', 'HEAD:agent/2'], /agent\/1 \(nothing is pushed, since another ref was refused\)/],
    [['--mirror'], /this run may only push/],
    [['--delete', 'agent/1'], /a run may not delete its branch/],
  ]
  for (const [words, reason] of pushes) {
    const { exitCode, stderr } = await tree.tryGit(
      'push',
      ...(words[0]?.startsWith('--') ? [words[0], run, ...words.slice(1)] : [run, ...words]),
    )
    assert.notEqual(exitCode, 0, words.join(' '))
    assert.match(stderr, reason)
  }
  await tree.git('reset', '--quiet', '--hard', first)
  await tree.commit({ other: '1' })
  await tree.git('push', '--quiet', run, 'HEAD:agent/1')
  assert.deepEqual(Object.keys(await branchesOf(place)), ['agent/1', 'main'])
})

test('lets the worker of a run rewrite its branch', async () => {
  const place = await makeFilledPlace()
  const { tree, first } = place
  const run = await makeRunAddress(place)
  await tree.commit({ other: '1' })
  await tree.git('push', '--quiet', run, 'HEAD:agent/1')
  await tree.git('reset', '--quiet', '--hard', first)
  const forced = await tree.commit({ forced: '1' })
  await tree.git('push', '--quiet', '--force', run, 'HEAD:agent/1')
  assert.equal((await branchesOf(place))['agent/1'], forced)
})

test('refuses a run the default branch even where its token names it', async () => {
  const place = await makeFilledPlace()
  const run = await makeRunAddress(place, ['main'])
  await place.tree.commit({ work: '1' })
  const { stderr } = await place.tree.tryGit('push', run, 'main')
  assert.match(stderr, /this run may not push/)
  assert.deepEqual(await branchesOf(place), { main: place.first })
})

test('lets a member push branches and tags, and rewrite and delete any but the default branch', async () => {
  const place = await makeFilledPlace()
  const { tree, address, first } = place
  await tree.git('tag', 'v1')
  await tree.commit({ a: '1' })
  await tree.git('push', '--quiet', address, 'HEAD:topic', 'HEAD:main', 'v1')
  await tree.git('reset', '--quiet', '--hard', first)
  const rewritten = await tree.commit({ b: '1' })
  await tree.git('push', '--quiet', '--force', address, 'HEAD:topic')
  assert.equal((await branchesOf(place)).topic, rewritten)
  const forced = await tree.tryGit('push', '--force', address, 'HEAD:main')
  assert.match(forced.stderr, /non-fast-forward/)
  const deleted = await tree.tryGit('push', '--delete', address, 'main')
  assert.match(deleted.stderr, /the default branch may not be deleted/)
  await tree.git('push', '--quiet', '--delete', address, 'topic')
  const strange = await tree.tryGit('push', address, 'HEAD:refs/pull/1/head')
  assert.match(strange.stderr, /only branches and tags can be pushed/)
  assert.deepEqual(Object.keys(await branchesOf(place)), ['main'])
})

test('refuses pushes to an archived repository, and still serves it', async () => {
  const place = await makeFilledPlace()
  await db.query('update repos set archived = true where id = $1', [place.repoId])
  const { stderr } = await place.tree.tryGit('push', place.address, 'HEAD:other')
  assert.match(stderr, /the repository is archived/)
  await place.tree.git('ls-remote', place.address)
})

test('refuses a tree that would write into the .git of whoever checks it out', async () => {
  const place = await makeFilledPlace()
  const { tree, first } = place
  const blob = await tree.git('hash-object', '-w', 'README.md')
  const lines = path.join(tree.folder, '.git', 'lines')
  const makeTree = async (line: string) => {
    writeFileSync(lines, line)
    return tree.git('-c', `alias.read=!git mktree <${lines}`, 'read')
  }
  const evil = await makeTree(`040000 tree ${await makeTree(`100644 blob ${blob}\tconfig\n`)}\t.git\n`)
  const commit = await tree.git('commit-tree', evil, '-p', first, '-m', 'evil')
  const { exitCode, stderr } = await tree.tryGit('push', place.address, `${commit}:refs/heads/evil`)
  assert.equal(exitCode, 1)
  assert.match(stderr, /hasDotgit/)
  assert.deepEqual(await branchesOf(place), { main: first })
})

test('never runs a hook of the repository', async () => {
  const place = await makeFilledPlace()
  const folder = path.join(repositories, `${place.organizationId}/${place.repoId}.git`)
  mkdirSync(path.join(folder, 'hooks'), { recursive: true })
  for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
    writeFileSync(path.join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${folder}/ran-${hook}\nexit 1\n`, { mode: 0o755 })
  }
  await place.tree.commit({ a: '1' })
  await place.tree.git('push', '--quiet', place.address, 'main')
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('ran-')),
    [],
  )
})

test('asks for a token, and takes none that is wrong, expired or revoked', async () => {
  const place = await makeFilledPlace()
  const { organizationId, adminId: userId } = place
  const expired = await makeToken(db, tokenKeys, { organizationId, userId, expiresAt: new Date(Date.now() - 1_000) })
  for (const secret of ['', 'nonsense', place.person.slice(0, -1), expired]) {
    const { exitCode, stderr } = await place.tree.tryGit('ls-remote', withSecret(place, secret))
    assert.equal(exitCode, 128)
    assert.match(stderr, /could not read Username|Authentication failed/)
  }
  const { status, headers } = await send(place, `${place.name}.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: '' },
  })
  assert.deepEqual([status, headers['www-authenticate']], [401, 'Basic realm="Runwright"'])
})

test("ends a run's token with its lease", async () => {
  const place = await makeFilledPlace()
  const run = await makeRunAddress(place)
  await place.tree.git('ls-remote', run)
  await db.query('update run_heads set lease_id = $2 where organization_id = $1', [place.organizationId, randomUUID()])
  const { stderr } = await place.tree.tryGit('ls-remote', run)
  assert.match(stderr, /Authentication failed/)
})

test("answers not found to a run's token for any repository but its own", async () => {
  const [own, other] = [await makeFilledPlace(), await makeFilledPlace()]
  const run = await makeRunAddress(own)
  const secret = new URL(run).password
  for (const address of [withSecret(other, secret), run.replace(own.name, 'missing')]) {
    const { exitCode, stderr } = await own.tree.tryGit('ls-remote', address)
    assert.equal(exitCode, 128)
    assert.match(stderr, /not found/)
  }
  await own.tree.git('ls-remote', run)
})

test("answers not found for another organization's repository, and for one that is not there", async () => {
  const [mine, theirs] = [await makeFilledPlace(), await makeFilledPlace()]
  const missing = withSecret(mine, mine.person).replace(mine.name, 'missing')
  for (const address of [withSecret(theirs, mine.person), missing]) {
    const { exitCode, stderr } = await mine.tree.tryGit('ls-remote', address)
    assert.equal(exitCode, 128)
    assert.match(stderr, /not found/)
  }
})

test('refuses requests that are not whole or not of the form', async () => {
  const place = await makeFilledPlace()
  const zero = '0'.repeat(40)
  const one = 'a'.repeat(40)
  const command = (text: string) => Buffer.concat([packetLine(text), Buffer.from('0000')])
  const bodies = {
    'no length': 'hello, this is no packet',
    'a length that is too small': '0003',
    'a length without its content': '00ff',
    'no end': packetLine(`${zero} ${one} refs/heads/x\0 report-status`),
    'a command that is none': command('delete everything'),
    'a signed push': command('push-cert\0 report-status'),
    'a ref with a space': command(`${zero} ${one} refs/heads/a b`),
  }
  for (const [kind, body] of Object.entries(bodies))
    assert.equal((await post(place, 'receive-pack', body)).status, 400, kind)
  assert.equal((await post(place, 'receive-pack', '0000')).status, 200)
  assert.equal((await post(place, 'upload-pack', 'hello', {})).status, 400)
  const noGzip = await post(place, 'upload-pack', 'hello', { 'content-encoding': 'gzip' })
  assert.equal(noGzip.status, 400)
  assert.equal((await post(place, 'upload-pack', 'hello', { 'content-encoding': 'br' })).status, 415)
  const noPack = await post(place, 'receive-pack', command(`${zero} ${one} refs/heads/x\0 report-status`))
  assert.match(noPack.text, /unpack (?!ok)/)
  assert.deepEqual(await branchesOf(place), { main: place.first })
})

test('does not unpack a small body into a huge one', async () => {
  const place = await makeFilledPlace()
  const line = packetLine(`have ${'a'.repeat(40)}\n`)
  const bomb = gzipSync(Buffer.alloc(400_000 * line.length, line))
  const answer = await post(place, 'upload-pack', bomb, { 'content-encoding': 'gzip' })
  assert.ok([400, 413].includes(answer.status ?? 0), String(answer.status))
  const refs = packetLine(`${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/x\n`)
  const many = gzipSync(Buffer.alloc(100_000 * refs.length, refs))
  assert.equal((await post(place, 'receive-pack', many, { 'content-encoding': 'gzip' })).status, 413)
})

test('takes a push of 60 MB that comes in chunks', async () => {
  const place = await makeFilledPlace()
  const commit = await place.tree.commit({ noise: randomBytes(60 * 1024 * 1024) })
  await place.tree.git('-c', 'core.compression=0', 'push', '--quiet', place.address, 'main')
  assert.deepEqual(await branchesOf(place), { main: commit })
})

test('leaves nothing behind when a client goes away', async () => {
  const place = await makeFilledPlace()
  const head = packetLine(`${'0'.repeat(40)} ${place.first} refs/heads/x\0 report-status`)
  const request = http.request(`http://${origin}/git/${place.organizationId}/${place.name}.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.person}`, 'content-type': 'application/x-git-receive-pack-request' },
  })
  request.on('error', () => {})
  // The beginning of a pack that never goes on.
  request.write(Buffer.concat([head, Buffer.from('0000PACK\0\0\0\x02\0\0\0\x09', 'latin1')]))
  await until(() => gitProcesses().length > 0)
  request.destroy()
  await until(() => gitProcesses().length === 0)
  const objects = path.join(repositories, `${place.organizationId}/${place.repoId}.git/objects`)
  await until(() => !readdirSync(objects, { recursive: true }).some((name) => String(name).includes('tmp_')))
  assert.deepEqual(await branchesOf(place), { main: place.first })
})

test('while the database is away the answer is 503, and no fault of ours', async () => {
  const pool = openPool('postgres://nobody@127.0.0.1:1/nothing')
  const hosts = { git: () => host, admin: host }
  const away = openGitGateway({ pool, tokenKeys, hosts, logger, publicUrl })
  const apart = http.createServer((request, response) => void away(request, response))
  await once(apart.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(apart.address() as AddressInfo).port}/git/1/web.git`
  const headers = { authorization: `Basic ${btoa('x:rw_whatever')}` }
  for (const at of ['info/refs?service=git-upload-pack', 'info/lfs/locks/verify']) {
    const answer = await fetch(`${base}/${at}`, { headers, method: at.includes('lfs') ? 'POST' : 'GET' })
    assert.equal(answer.status, 503, at)
    assert.ok(answer.headers.get('retry-after'))
    assert.match(await answer.text(), /database cannot be reached/)
  }
  apart.close()
  await pool.end()
})

test('has had no fault of its own in all this', () => {
  assert.deepEqual(faults, [])
})

test('a push for which there is no room is refused in a sentence, leaves nothing, and one that fits goes through', async () => {
  const place = await makePlace()
  const tree = await makeWorkTree()
  await tree.commit({ 'noise.bin': randomBytes(3_000_000) })
  const limit = (bytesMax: number) =>
    limitStorage(db, { organizationId: place.organizationId, bytesMax, byOperator: false })
  const objects = path.join(repositories, String(place.organizationId), `${place.repoId}.git`, 'objects')
  const filesIn = () => readdirSync(objects, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  await limit(2_000_000)
  const { exitCode, stderr } = await tree.tryGit('push', place.address, 'main')
  assert.notEqual(exitCode, 0)
  assert.match(stderr, /The organization may store 1 MiB, and this would make it 3 MiB\..*RUNWRIGHT_STORAGE_MIB/)
  assert.deepEqual(filesIn(), [])
  assert.deepEqual(await branchesOf(place), {})
  await limit(4_000_000)
  await tree.git('push', '--quiet', place.address, 'main')
  await tree.commit({ 'more.bin': randomBytes(2_000_000) })
  const before = filesIn().length
  assert.match((await tree.tryGit('push', place.address, 'main')).stderr, /may store 3 MiB/)
  assert.equal(filesIn().length, before)
})

test('of twenty pushes at once as many come in as there is room for', async () => {
  const place = await makePlace()
  await limitStorage(db, { organizationId: place.organizationId, bytesMax: 3_500_000, byOperator: false })
  const trees = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tree = await makeWorkTree()
      await tree.commit({ 'noise.bin': randomBytes(1_000_000) })
      return tree
    }),
  )
  const pushed = await Promise.all(trees.map((tree, n) => tree.tryGit('push', place.address, `main:work/${n}`)))
  assert.equal(pushed.filter(({ exitCode }) => exitCode === 0).length, 3)
  for (const { exitCode, stderr } of pushed) if (exitCode) assert.match(stderr, /may store 3 MiB/)
})

test('more branches than a repository may have are refused in a sentence, and it answers as before', async () => {
  const place = await makeFilledPlace()
  const words = (n: number) => `${'0'.repeat(40)} ${place.first} refs/heads/b${n}${n ? '' : '\0 report-status'}`
  const lines = Array.from({ length: 20_000 }, (_, n) => packetLine(words(n)))
  const answer = await post(place, 'receive-pack', Buffer.concat([...lines, Buffer.from('0000')]))
  assert.equal(answer.status, 200)
  assert.match(answer.text, /ng refs\/heads\/b19999 a repository may have 20000 branches and tags/)
  assert.deepEqual(Object.keys(await branchesOf(place)), ['main'])
})

test('tags of tags of tags, names of 50 KB and folders sixty deep are no fault of ours, and all else is answered as before', async () => {
  const { tree, address } = await makeFilledPlace()
  let id = await tree.git('rev-parse', 'HEAD')
  for (let n = 0; n < 30; n++) {
    const text = `object ${id}\ntype ${n ? 'tag' : 'commit'}\ntag t${n}\ntagger a <a@b> 0 +0000\n\nx\n`
    writeFileSync(path.join(tree.folder, 'tag'), text)
    id = await tree.git('hash-object', '-t', 'tag', '-w', 'tag')
  }
  await tree.git('update-ref', 'refs/tags/chain', id)
  let [kind, entry] = ['100644 blob', await tree.git('hash-object', '-w', 'README.md')]
  for (let level = 0; level < 60; level++) {
    writeFileSync(path.join(tree.folder, 'list'), `${kind} ${entry}\t${level ? 'd' : 'n'.repeat(50_000)}\n`)
    entry = await tree.git('-c', 'alias.make=!git mktree < list', 'make')
    kind = '040000 tree'
  }
  const deep = await tree.git('commit-tree', entry, '-m', 'deep')
  await tree.git('update-ref', 'refs/heads/deep', deep)
  const { stderr } = await tree.tryGit('push', '--quiet', address, 'deep', 'chain')
  assert.doesNotMatch(stderr, /went wrong on our side|50\d/)
  assert.match(await tree.git('ls-remote', address), /refs\/heads\/main/)
})
