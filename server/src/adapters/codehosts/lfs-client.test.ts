import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { Dialer } from '#adapters/codehosts/dial-out.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { openLocalHost } from '#adapters/codehosts/local/local.ts'
import { openMirroredLfs } from '#adapters/codehosts/local/open-mirrored-lfs.ts'
import { Names } from '#base/network/names.ts'
import { testFolder } from '#test/test-git.ts'
import { readBatch } from './lfs-client.ts'
import { readLfsPointer } from './lfs-pointer.ts'

const reach = { address: 'https://host.test/acme/web.git', authorization: 'Basic secret' }
const oid = 'a'.repeat(64)
const batchOf = (download: unknown, more: object = {}) =>
  JSON.stringify({ objects: [{ oid, size: 1, actions: { download }, ...more }] })

test('what opens the repository is shown to its own host alone, and no header that frames a message is taken', () => {
  const [own] = readBatch(reach, batchOf({ href: 'https://host.test/x', header: {} }))
  assert.equal(own?.download?.header['authorization'], 'Basic secret')
  const [other] = readBatch(reach, batchOf({ href: 'https://elsewhere.test/x' }))
  assert.deepEqual(other?.download?.header, {})
  const header = {
    Host: 'x',
    'Content-Length': '0',
    'Transfer-Encoding': 'chunked',
    'X-A': 'a\r\nB: c',
    'X-Good': 'yes',
    'a b': 'c',
  }
  const [evil] = readBatch(reach, batchOf({ href: 'https://elsewhere.test/x', header }))
  assert.deepEqual(evil?.download?.header, { 'x-good': 'yes' })
  assert.deepEqual(readBatch(reach, batchOf({ href: 7 })), [{ oid }])
  assert.deepEqual(readBatch(reach, '[]'), [])
  assert.throws(() => readBatch(reach, '<html>'), HostError)
})

test('only what is a pointer to the letter is one', () => {
  const pointer = (size: string, id = oid) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize ${size}\n`
  assert.deepEqual(readLfsPointer(pointer('10995116277760')), { oid, bytes: 10 * 2 ** 40 })
  for (const text of [
    '',
    pointer('-1'),
    pointer('99999999999999999'),
    pointer('1', '../'.repeat(21)),
    `${pointer('1')}more`,
  ])
    assert.equal(readLfsPointer(text), null, text)
})

type Serve = (request: IncomingMessage, response: ServerResponse, origin: string) => void

/** A mirror of a repository whose host is this server. */
async function makeMirror(serve: Serve) {
  const server = createServer((request, response) => serve(request, response, origin))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const local = openLocalHost({ folder: path.join(await testFolder(), 'repos') })
  const dialer = new Dialer({ privateHosts: ['127.0.0.1'], lookup: new Names().lookup })
  const lfs = openMirroredLfs({
    local: local.lfs,
    prepare: (repo) => local.createRepository(repo, { defaultBranch: 'main' }),
    dial: () => (request) => dialer.send({ ...request, asker: null }),
    reach: async () => ({ address: `${origin}/acme/web.git`, authorization: 'Basic secret' }),
    take: async () => null,
    list: local.lfs.list,
  })
  return { lfs, repo: { organizationId: 1, path: '1/github-1.git' } }
}

const content = Buffer.from('0123456789')
const pointer = { oid: createHash('sha256').update(content).digest('hex'), bytes: content.length }

test('a host that lies about content, or leads to private addresses, is not believed; the file stays a pointer', async () => {
  let sent = Buffer.from('9876543210')
  let href = (origin: string) => `${origin}/object`
  const { lfs, repo } = await makeMirror((request, response, origin) => {
    if (request.url === '/object') return void response.end(sent)
    const object = { oid: pointer.oid, size: 10, actions: { download: { href: href(origin) } } }
    response.end(JSON.stringify({ objects: [object, { oid, size: 1, actions: { download: { href: href(origin) } } }] }))
  })
  const isHere = async () => (await lfs.bring(repo, [pointer])).here.has(pointer.oid)
  assert.equal(await isHere(), false)
  sent = Buffer.alloc(20)
  assert.equal(await isHere(), false)
  for (const elsewhere of ['file:///etc/passwd', 'http://127.0.0.2:1/', 'http://169.254.169.254/latest/meta-data/']) {
    href = () => elsewhere
    assert.equal(await isHere(), false, elsewhere)
  }
  href = (origin) => `${origin}/object`
  sent = content
  assert.equal(await isHere(), true)
})

test('a host that fails for now is asked again later, and one without Git LFS leaves pointers', async () => {
  let status = 503
  const { lfs, repo } = await makeMirror((_request, response) => void response.writeHead(status).end('{}'))
  await assert.rejects(lfs.bring(repo, [pointer]), { code: 'unavailable' })
  status = 429
  await assert.rejects(lfs.bring(repo, [pointer]), { code: 'rate_limited' })
  for (status of [403, 404, 422]) assert.equal((await lfs.bring(repo, [pointer])).here.size, 0)
})

test('a refusal that comes before all of a file is sent is a refusal, and what is said of one object has its meaning', async () => {
  const large = randomBytes(32 * 2 ** 20)
  const object = { oid: createHash('sha256').update(large).digest('hex'), bytes: large.length }
  let refused: object = {}
  const { lfs, repo } = await makeMirror((request, response, origin) => {
    if (request.method === 'PUT') {
      response.writeHead(413, { connection: 'close' }).end('{"message":"too large"}')
      return void request.resume()
    }
    const answer = {
      oid: object.oid,
      size: object.bytes,
      actions: { upload: { href: `${origin}/object` } },
      ...refused,
    }
    response.end(JSON.stringify({ objects: [answer] }))
  })
  const put = () => lfs.put(repo, { ...object, body: Readable.from([large]), take: async () => null })
  for (let n = 0; n < 3; n++) await assert.rejects(put(), { code: 'too_large', message: /413 too large/ })
  for (const [code, meaning] of [
    [413, 'too_large'],
    [403, 'forbidden'],
    [422, 'invalid'],
    [503, 'unavailable'],
    [undefined, 'invalid'],
  ]) {
    refused = { error: { code, message: 'Because.' } }
    await assert.rejects(put(), { code: meaning, message: /Because\./ })
  }
  refused = { oid }
  await assert.rejects(put(), { code: 'unavailable' })
})
