import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { systemClock } from '#base/clock.ts'
import { openLogger } from '#base/logger.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { limitStorage } from '#domain/accounts/storage/limit-storage.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { removeRepo } from '#domain/repos/repos/remove-repo.ts'
import { recordBranch } from '#domain/runs/runs/record-branch.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, makeSecretBox, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree, openWorkTree, testFolder, type WorkTree } from '#test/test-git.ts'
import { openGitGateway } from './open-git-gateway.ts'
import { openRunGateway } from './open-run-gateway.ts'

const db = await testDb()
await saveStorageLimits(db, { organization: 2 ** 33, repo: 2 ** 33, run: 2 ** 33 })
const tokenKeys = makeTokenKeys({ clock: systemClock })
const root = path.join(await testFolder(), 'repos')
const host = openLocalHost({ folder: root })
const hosts = { git: () => host, admin: host }
const faults: string[] = []
const logger = openLogger({ level: 'error', destination: { write: (line: string) => void faults.push(line) } })
const gateway = openGitGateway({ pool: db, tokenKeys, hosts, logger, publicUrl: 'https://runwright.test' })
const secret = 'correct-horse-battery-staple'
const redactors = new RunRedactors({
  db,
  secretBox: makeSecretBox(),
  own: [{ name: 'OWN', value: secret }],
  canaryKeys: [],
})
const runGateway = openRunGateway({ pool: db, hosts, logger, notifier: { notifyRun: () => {} } as never, redactors })

async function listen(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const origin = await listen((request, response) => void gateway(request, response))

async function makePlace() {
  const { id: organizationId, adminId } = await makeOrganization(db)
  const { id: userId } = await makeUser(db, { organizationId, role: 'MEMBER' })
  const member = await makeToken(db, tokenKeys, { organizationId, userId })
  const viewer = await makeToken(db, tokenKeys, { organizationId, userId, scopes: ['read'] })
  const repo = await createRepo(db, { organizationId, admin: host, name: 'web' })
  const at = `${origin}/git/${organizationId}/web.git`
  return { organizationId, adminId, repo, member, viewer, at, bare: path.join(root, repo.path) }
}
type Place = Awaited<ReturnType<typeof makePlace>>

const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const pointerOf = (content: Buffer | string) => ({ oid: oidOf(content), size: Buffer.byteLength(content) })

type Ask = { method?: string; body?: unknown; token?: string; headers?: Record<string, string> }
async function ask(place: Pick<Place, 'at' | 'member'>, tail: string, { method = 'POST', body, token, headers }: Ask) {
  const response = await fetch(`http://${place.at}/info/lfs/${tail}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Basic ${btoa(`ada:${token ?? place.member}`)}` }),
      ...headers,
    },
    ...(body !== undefined && {
      body: body instanceof Buffer ? new Uint8Array(body) : typeof body === 'string' ? body : JSON.stringify(body),
    }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type') === 'application/vnd.git-lfs+json'
  return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(String(bytes)) : null }
}
const put = (place: Place, content: Buffer, claimed = pointerOf(content), more: Ask = {}) =>
  ask(place, `objects/${claimed.oid}?size=${claimed.size}`, { method: 'PUT', body: content, ...more })
const batch = (place: Place, operation: string, objects: unknown[], token?: string) =>
  ask(place, 'objects/batch', { body: { operation, objects }, ...(token !== undefined && { token }) })

/** What is kept of large files, and what is left of those that came in. */
async function filesOf({ bare }: Place): Promise<string[]> {
  const below = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) => entry.isFile())
  const files = [...(await below(path.join(bare, 'lfs'))), ...(await below(path.join(root, '.incoming')))]
  return files.map(({ name }) => name)
}

async function makeLfsTree(): Promise<WorkTree> {
  const tree = await makeWorkTree()
  await tree.git('lfs', 'install', '--local')
  return tree
}

test('git lfs pushes and clones large files, without a word of complaint, and they count until they are removed', async () => {
  const place = await makePlace()
  const tree = await makeLfsTree()
  const [large, other] = [randomBytes(5 * 2 ** 20), randomBytes(1_000)]
  await tree.commit({ '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': large, 'deep/b.bin': other })
  await tree.git('remote', 'add', 'origin', `http://ada:${place.member}@${place.at}`)
  for (const words of [['main'], ['main:refs/heads/again']]) {
    const pushed = await tree.tryGit('push', 'origin', ...words)
    assert.equal(pushed.exitCode, 0, pushed.stderr)
    assert.doesNotMatch(pushed.stderr, /lock|error|warn|fail/i)
  }
  assert.deepEqual((await filesOf(place)).sort(), [oidOf(large), oidOf(other)].sort())
  const counted = (await getStorage(db, place)).used.git
  assert.ok(counted > large.length && counted < large.length + 100_000, String(counted))
  const copy = openWorkTree(await testFolder())
  const cloning = ['-c', 'filter.lfs.smudge=git-lfs smudge -- %f', '-c', 'filter.lfs.required=true']
  await copy.git(...cloning, 'clone', '--quiet', `http://ada:${place.viewer}@${place.at}`, '.')
  assert.deepEqual(await readFile(path.join(copy.folder, 'a.bin')), large)
  assert.deepEqual(await readFile(path.join(copy.folder, 'deep/b.bin')), other)
  const collected = await host.collect(place.repo, { keep: [] })
  assert.ok(collected && collected.bytes > large.length, JSON.stringify(collected))
  await removeRepo(db, { ...place, repoId: place.repo.id, admin: host })
  assert.equal(existsSync(place.bare), false)
  assert.equal((await getStorage(db, place)).used.git, 0)
  assert.deepEqual(faults, [])
})

test('a download may begin in the middle', async () => {
  const place = await makePlace()
  const content = Buffer.from('0123456789')
  assert.equal((await put(place, content)).status, 200)
  const get = (range: string) =>
    ask(place, `objects/${oidOf(content)}`, { method: 'GET', token: place.viewer, headers: { range } })
  const tail = await get('bytes=4-')
  assert.deepEqual([tail.status, String(tail.bytes)], [206, '456789'])
  assert.equal(tail.headers.get('content-range'), 'bytes 4-9/10')
  assert.equal(String((await get('bytes=2-3')).bytes), '23')
  assert.equal(String((await get('lines=2-3')).bytes), '0123456789')
  assert.equal((await get('bytes=10-')).status, 416)
  assert.equal((await put(place, Buffer.alloc(0))).status, 200)
  const empty = await ask(place, `objects/${oidOf('')}`, { method: 'GET' })
  assert.deepEqual([empty.status, empty.bytes.length], [200, 0])
})

test('what is cut, of another digest or another size is refused in words, and leaves nothing', async () => {
  const place = await makePlace()
  const content = randomBytes(100_000)
  const { oid, size } = pointerOf(content)
  const wrong = await put(place, randomBytes(100_000), { oid, size })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body.message, /has the SHA-256 [0-9a-f]{64}, and not/)
  const short = await put(place, content.subarray(1), { oid, size })
  assert.deepEqual([short.status, short.body.message], [422, 'The file was to have 100000 bytes.'])
  const authorization = `Basic ${btoa(`ada:${place.member}`)}`
  const at = new URL(`http://${place.at}/info/lfs/objects/${oid}?size=${size}`)
  const longer = http.request(at, { method: 'PUT', headers: { authorization, 'transfer-encoding': 'chunked' } })
  longer.end(Buffer.concat([content, content]))
  const [answer] = (await once(longer, 'response')) as [http.IncomingMessage]
  assert.equal(answer.statusCode, 422)
  longer.destroy()
  const cut = http.request(at, { method: 'PUT', headers: { authorization, 'content-length': size } })
  cut.on('error', () => {})
  cut.write(content.subarray(0, 50_000))
  while (!(await readdir(path.join(root, '.incoming'))).length) await new Promise(setImmediate)
  cut.destroy()
  const end = Date.now() + 10_000
  while ((await readdir(path.join(root, '.incoming'))).length && Date.now() < end) await new Promise(setImmediate)
  assert.deepEqual(await filesOf(place), [])
  assert.equal((await getStorage(db, place)).used.git, 0)
  const verified = await ask(place, 'objects/verify', { body: { oid, size } })
  assert.deepEqual([verified.status, verified.body.message], [404, 'The repository has no such object.'])
  assert.deepEqual(faults, [])
})

test('who claims more than fits is refused before anything is sent', async () => {
  const place = await makePlace()
  await limitStorage(db, { ...place, bytesMax: 1_000_000, byOperator: false })
  const codeOf = async (size: number) => {
    const { body } = await batch(place, 'upload', [{ oid: oidOf('x'), size }])
    return [body.objects[0].error?.code, body.objects[0].error?.message ?? '']
  }
  assert.equal((await codeOf(10 * 2 ** 40))[0], 413)
  const [code, message] = await codeOf(2_000_000)
  assert.equal(code, 507)
  assert.match(message, /The organization may store 0 MiB/)
  assert.equal((await codeOf(1_000))[0], undefined)
  const content = randomBytes(2_000_000)
  const full = await put(place, content)
  assert.deepEqual([full.status, /may store 0 MiB/.test(full.body.message)], [507, true])
  const huge = await put(place, Buffer.from('x'), { oid: oidOf('x'), size: 10 * 2 ** 40 }, { headers: {} })
  assert.equal(huge.status, 422)
  assert.deepEqual(await filesOf(place), [])
  assert.equal((await getStorage(db, place)).used.git, 0)
})

test('an object is reached in its own repository alone, by those who may read it, and uploaded by those who may push', async () => {
  const [place, other] = [await makePlace(), await makePlace()]
  const content = randomBytes(1_000)
  await put(place, content)
  const object = pointerOf(content)
  const theirs = await batch(other, 'download', [object])
  assert.equal(theirs.body.objects[0].error.code, 404)
  assert.equal((await ask(other, `objects/${object.oid}`, { method: 'GET' })).status, 404)
  assert.equal((await ask(place, `objects/${object.oid}`, { method: 'GET', token: other.member })).status, 404)
  // Known by its digest, it is no other's: they have to bring it.
  const offered = await batch(other, 'upload', [object])
  assert.ok(offered.body.objects[0].actions.upload)
  const again = await batch(place, 'upload', [object])
  assert.equal(again.body.objects[0].actions, undefined)
  const unknown = await batch(place, 'download', [object], '')
  assert.equal(unknown.status, 401)
  assert.match(unknown.headers.get('lfs-authenticate') ?? '', /^Basic/)
  const reading = await batch(place, 'upload', [pointerOf('new')], place.viewer)
  assert.deepEqual([reading.status, reading.body.message], [403, 'Nothing can be uploaded: this token may only read.'])
  assert.equal((await put(place, Buffer.from('new'), undefined, { token: place.viewer })).status, 403)
  const { body } = await batch(place, 'download', [object], place.viewer)
  const { href, header } = body.objects[0].actions.download
  assert.deepEqual(Buffer.from(await (await fetch(href, { headers: header })).arrayBuffer()), content)
  await db.query('update repos set archived = true where id = $1', [place.repo.id])
  assert.match((await put(place, Buffer.from('new'))).body.message, /archived/)
})

test('addresses, batches and sizes that are none are refused in the words of the protocol', async () => {
  const place = await makePlace()
  const oid = oidOf('x')
  const asked: [string, Ask, number][] = [
    ['objects/../../../../etc/passwd', { method: 'GET' }, 404],
    [`objects/${oid.slice(1)}`, { method: 'GET' }, 404],
    [`objects/${oid.toUpperCase()}`, { method: 'GET' }, 404],
    [`objects/${oid}`, { method: 'DELETE' }, 405],
    [`objects/${oid}?size=-1`, { method: 'PUT', body: 'x' }, 422],
    [`objects/${oid}?size=1e400`, { method: 'PUT', body: 'x' }, 422],
    ['objects/batch', { method: 'GET' }, 405],
    ['objects/batch', { body: 'no json' }, 400],
    ['objects/batch', { body: { operation: 'remove', objects: [] } }, 422],
    ['objects/batch', { body: { operation: 'download', objects: [{ oid: '../../HEAD', size: 1 }] } }, 422],
    ['objects/batch', { body: { operation: 'download', objects: [{ oid, size: 1.5 }] } }, 422],
    ['objects/batch', { body: { operation: 'download', hash_algo: 'sha512', objects: [] } }, 409],
    [
      'objects/batch',
      { body: { operation: 'download', objects: Array.from({ length: 1_001 }, () => ({ oid, size: 1 })) } },
      413,
    ],
    ['objects/batch', { body: 'x'.repeat(2 ** 20 + 1) }, 413],
    ['locks/verify', { body: {} }, 501],
    ['locks', { method: 'GET' }, 501],
  ]
  for (const [tail, request, status] of asked) {
    const answer = await ask(place, tail, request)
    assert.equal(answer.status, status, tail + JSON.stringify(request).slice(0, 200))
    if (!tail.includes('..') && !/[A-Z]/.test(tail)) assert.equal(typeof answer.body.message, 'string', tail)
  }
  assert.deepEqual(await filesOf(place), [])
})

test('from its sandbox a run uploads to its own repository, while it may push there, and no secret', async () => {
  const place = await makePlace()
  const { organizationId, adminId: userId, repo } = place
  const { holder } = await makeHeldRun(db, { organizationId, userId, repoId: repo.id })
  const address = await listen((request, response) => void runGateway(request, response, { holder }))
  const inside = { ...place, at: `${address}/git/${organizationId}/web.git` }
  const content = randomBytes(1_000)
  const mayNot = await put(inside, content)
  assert.deepEqual([mayNot.status, mayNot.body.message], [403, 'Nothing can be uploaded: this run may not push.'])
  await recordBranch(db, { holder, branch: 'agent/1', baseBranch: 'main', baseCommit: 'a'.repeat(40) })
  const known = Buffer.from(`password: ${secret}\n`)
  const leaking = await put(inside, known)
  assert.equal(leaking.status, 422)
  assert.match(leaking.body.message, /holds the secret OWN/)
  assert.equal((await put(inside, content)).status, 200)
  assert.deepEqual(await filesOf(place), [oidOf(content)])
  assert.equal((await ask(inside, `objects/${oidOf(content)}`, { method: 'GET', token: '' })).status, 200)
  const elsewhere = await makePlace()
  await put(elsewhere, known)
  const there = { ...elsewhere, at: `${address}/git/${elsewhere.organizationId}/web.git` }
  assert.equal((await batch(there, 'download', [pointerOf(known)])).status, 404)
  await db.query('update run_heads set lease_id = $2 where run_id = $1', [holder.runId, randomUUID()])
  assert.equal((await put(inside, randomBytes(10))).status, 403)
  assert.deepEqual(faults, [])
})
