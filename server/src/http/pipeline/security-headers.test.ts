import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testApp, type TestApp } from '#test/test-app.ts'

const { ask, url, member, reachedAt } = await testApp()
const me = await member()

type Place = Pick<TestApp, 'ask' | 'url'>

/** Of an answer to a request that the server's own parser may refuse. */
async function headersOfRaw(url: string, request: string): Promise<Headers> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(request)
  const [head = ''] = Buffer.concat(await socket.toArray())
    .toString()
    .split('\r\n\r\n')
  const pairs = head.split('\r\n').slice(1)
  return new Headers(
    pairs.map((line): [string, string] => [line.split(': ')[0]!, line.split(': ').slice(1).join(': ')]),
  )
}

async function answers({ ask, url }: Place): Promise<Record<string, Headers>> {
  const raw = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const headersOf = async (path: string, token?: string) => (await ask(path, { ...(token && { token }) })).headers
  return {
    list: await headersOf(`${me.path}/agent/runs`, me.token),
    refusal: await headersOf('/v1/users/me'),
    unknown: await headersOf('/nowhere'),
    health: await headersOf('/healthz'),
    document: await headersOf('/openapi.json'),
    git: await headersOf('/git/1/1.git/info/refs?service=git-upload-pack'),
    'bad path': await headersOfRaw(url, raw('/%zz')),
    'no HTTP': await headersOfRaw(url, 'nonsense\r\n\r\n'),
  }
}

test('no answer of the API lets a browser do anything with it', async () => {
  for (const [what, headers] of Object.entries(await answers({ ask, url }))) {
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", what)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', what)
    assert.equal(headers.get('referrer-policy'), 'no-referrer', what)
    assert.match(String(headers.get('permissions-policy')), /camera=\(\)/, what)
    assert.equal(headers.get('strict-transport-security'), null, what)
  }
})

test('where people come over https, browsers are told to come back no other way', async () => {
  const all = await answers(await reachedAt('https://runs.example'))
  for (const [what, headers] of Object.entries(all))
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', what)
})

test('an App is begun at another GitHub by a browser, whose pages may then post there', async () => {
  const ours = { 'sec-fetch-site': 'same-origin' }
  const signedIn = await ask('/v1/session', { method: 'POST', body: { token: me.token }, headers: ours })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  const begin = (base_url: string, headers: Record<string, string>, token?: string) =>
    ask(`${me.path}/integrations/app-forms`, { method: 'POST', body: { base_url }, headers, ...(token && { token }) })
  const begun = await begin('https://git.acme.test/api/v3', { cookie, ...ours })
  const [kept] = begun.headers.getSetCookie()
  assert.match(String(kept), /^runwright_form_target=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/)
  // A program has no pages, and an address that would end a word of the policy is none of a page's.
  assert.deepEqual((await begin('https://git.acme.test/api/v3', {}, me.token)).headers.getSetCookie(), [])
  assert.deepEqual((await begin("https://a'b.test/api/v3", { cookie, ...ours })).headers.getSetCookie(), [])
})
