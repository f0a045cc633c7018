import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readBody, readGitRequest, readProtocol, readSecret, Refusal } from './git-request.ts'

const asked = (method: string, url: string, headers: Record<string, string> = {}) =>
  ({ method, url, headers }) as unknown as IncomingMessage

test('understands what git asks for', () => {
  const repo = { organizationId: 7, repoName: 'a.b-c_d' }
  assert.deepEqual(readGitRequest(asked('GET', '/git/7/a.b-c_d.git/info/refs?service=git-upload-pack')), {
    ...repo,
    service: 'upload-pack',
    advertise: true,
  })
  const headers = { 'content-type': 'application/x-git-receive-pack-request' }
  assert.deepEqual(readGitRequest(asked('POST', '/git/7/a.b-c_d.git/git-receive-pack', headers)), {
    ...repo,
    service: 'receive-pack',
    advertise: false,
  })
  const names = ['acme/web', 'acme/.github', 'runs/7']
  const asking = (name: string) => readGitRequest(asked('GET', `/git/7/${name}.git/info/refs?service=git-upload-pack`))
  assert.deepEqual(
    names.map(asking).map(({ repoName }) => repoName),
    names,
  )
})

test('answers nothing else', () => {
  const refs = 'info/refs?service=git-upload-pack'
  const input: [string, string, number][] = [
    ['GET', '/git/7/a.git/info/refs', 403],
    ['GET', '/git/7/a.git/info/refs?service=git-upload-archive', 403],
    ['GET', '/git/7/a.git/HEAD', 404],
    ['GET', '/git/7/a.git/objects/info/packs', 404],
    ['GET', `/git/7/a.git/../a.git/${refs}`, 404],
    ['GET', `/git/7/..%2f..%2fetc.git/${refs}`, 404],
    ['GET', `/git/7/a..b.git/${refs}`, 404],
    ['GET', `/git/7/acme/...git/${refs}`, 404],
    ['GET', `/git/7/acme/web/more.git/${refs}`, 404],
    ['GET', `/git/07/a.git/${refs}`, 404],
    ['GET', `/git/9999999999999999/a.git/${refs}`, 404],
    ['GET', `//git/7/a.git/${refs}`, 404],
    ['GET', `http://elsewhere/git/7/a.git/${refs}`, 404],
    ['POST', `/git/7/a.git/${refs}`, 405],
    ['HEAD', `/git/7/a.git/${refs}`, 405],
    ['GET', '/git/7/a.git/git-upload-pack', 405],
    ['POST', '/git/7/a.git/git-upload-pack', 415],
  ]
  for (const [method, url, status] of input) {
    assert.throws(
      () => readGitRequest(asked(method, url)),
      (error) => error instanceof Refusal && error.status === status,
      url,
    )
  }
})

test('finds the token in the password, or as bearer', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const found = ['', 'Bearer abc', basic('ada:abc'), basic(':a:b'), basic('abc'), 'Basic %%%', 'Digest abc'].map(
    (authorization) => readSecret(asked('GET', '/', { authorization })),
  )
  assert.deepEqual(found, ['', 'abc', 'abc', 'a:b', '', '', ''])
})

test('hands on no protocol version that is of another form', () => {
  const found = ['version=2', 'version=2:object-format=sha1', 'a b', 'x'.repeat(65), '$(id)'].map((protocol) =>
    readProtocol(asked('GET', '/', { 'git-protocol': protocol })),
  )
  assert.deepEqual(found, ['version=2', 'version=2:object-format=sha1', null, null, null])
})

test('tells what is wrong with a body to whoever reads it, however late', async () => {
  const request = Object.assign(new PassThrough(), { headers: { 'content-encoding': 'gzip' } })
  const body = readBody(request as unknown as IncomingMessage, new AbortController().signal)
  request.end('no gzip')
  // What takes it apart has failed once it takes no more.
  while (request.listenerCount('data')) await new Promise(setImmediate)
  await assert.rejects(Array.fromAsync(body), (error) => error instanceof Refusal && error.status === 400)
})
