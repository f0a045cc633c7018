import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { makeSecretBox } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { addUi, pagePaths } from './add-ui.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-ui-'))
after(() => rmSync(folder, { recursive: true }))
mkdirSync(path.join(folder, 'assets'))
const script = 'export const life = 42\n'.repeat(100)
writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Runwright</title>')
writeFileSync(path.join(folder, 'assets/index-abc.js'), script)
writeFileSync(path.join(folder, 'assets/index-abc.js.br'), brotliCompressSync(script))
const server = fastify()
after(() => server.close())
const app = { publicUrl: 'http://localhost', secretBox: makeSecretBox(), clock: { now: () => new Date(nowMs) } }
let nowMs = 1_000_000
await addUi(server, { app, folder })
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

test('every address of a page shows the page, which may load and ask nothing but this service', async () => {
  for (const url of pagePaths) {
    const answer = await get(url.replaceAll(/:\w+/g, '1'))
    assert.equal(answer.statusCode, 200, url)
    assert.equal(answer.headers['cache-control'], 'no-cache')
    const policy = String(answer.headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe|\*|data:|http(?!s:\/\/github\.com;)/)
  }
})

const targets = async (query: string, cookie = '') =>
  /form-action ([^;]*);/.exec(
    String((await get(`/organizations/1/repos${query}`, { cookie })).headers['content-security-policy']),
  )?.[1]

test('a page posts forms to GitHub, and no link has it post anywhere else', async () => {
  assert.equal(await targets(''), 'https://github.com')
  for (const evil of [
    'https://evil.example.com',
    'javascript:alert(1)',
    'https://*',
    "https://a;script-src 'unsafe-inline'",
  ])
    assert.equal(await targets(`?github=${encodeURIComponent(evil)}`), 'https://github.com', evil)
})

test('a page posts forms to another GitHub where this browser has begun to make an App there, for a while', async () => {
  const sealed = (text: string) =>
    app.secretBox.seal(Buffer.from(text), ['runwright_form_target']).toString('base64url')
  const origin = 'https://git.acme.test:8443'
  const cookie = `runwright_form_target=${sealed(JSON.stringify({ origin, endsAtMs: nowMs + 1_000 }))}`
  assert.equal(await targets('', cookie), `https://github.com ${origin}`)
  const other = app.secretBox.seal(Buffer.from(JSON.stringify({ origin, endsAtMs: nowMs + 1_000 })), ['app form'])
  for (const forged of ['x', 'AAAA', cookie.slice(0, -3), other.toString('base64url')])
    assert.equal(await targets('', `runwright_form_target=${forged}`), 'https://github.com')
  nowMs += 1_000
  assert.equal(await targets('', cookie), 'https://github.com')
})

test('what a page is made of is kept for good by who has it, and sent compressed to who takes that', async () => {
  const plain = await get('/assets/index-abc.js')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.payload, script)
  const small = await get('/assets/index-abc.js', { 'accept-encoding': 'gzip, br' })
  assert.equal(small.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(small.rawPayload).toString(), script)
  assert.equal((await get('/', { 'if-none-match': String((await get('/')).headers.etag) })).statusCode, 304)
})

test('an address that is no page shows none', async () => {
  for (const url of ['/nowhere', '/assets/other.js', '/assets/index-abc.js.br', '/v1/nowhere'])
    assert.equal((await get(url)).statusCode, 404, url)
})

test('an unknown address below that of a page is a page that says so, to browsers', async () => {
  for (const url of ['/runs', '/runs/1/2/3', '/organizations/1/nothing', '/organizations/1/repos/1/nothing']) {
    const answer = await get(url, { accept: 'text/html,*/*' })
    assert.equal(answer.statusCode, 404, url)
    assert.match(answer.body, /<!doctype html>/, url)
    assert.doesNotMatch((await get(url, { accept: 'application/json' })).body, /<!doctype html>/, url)
  }
})

test('the address that a run names is a page, and takes nothing but questions', async () => {
  const { ask, member } = await testApp()
  const me = await member()
  const { body: run } = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  const shown = await get(new URL(String(run.web_url)).pathname)
  assert.equal(shown.statusCode, 200)
  assert.equal((await ask('/runs/1/1', { method: 'POST' })).headers.get('allow'), 'GET, HEAD')
  const unbuilt = await ask('/runs/1/1')
  assert.equal(unbuilt.status, 503)
  assert.match(String(unbuilt.body.message), /npm run build:web/)
})
