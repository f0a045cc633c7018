import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { testApp } from '#test/test-app.ts'
import { pagePaths } from './add-run-page.ts'

const { ask, member } = await testApp()
const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')

test('the address that a run names shows the page, without a token', async () => {
  const me = await member()
  const { body: run } = await ask(`${me.path}/agent/run`, { method: 'POST', token: me.token, body: { prompt: 'Go' } })
  const page = await ask(new URL(String(run.web_url)).pathname)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(!page.text.includes('Go'), 'the page itself holds nothing of the run')
})

test('the page may load and ask nothing but this service', async () => {
  for (const url of pagePaths) {
    const answer = await ask(url.replaceAll(/:\w+/g, '1'))
    assert.equal(answer.status, 200, url)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe|\*|data:|http/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  }
})

test('everything that the page refers to is served', async () => {
  const html = read('run-page.html')
  const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => String(reference))
  assert.ok(references.length >= 4)
  for (const reference of references) assert.equal((await ask(reference)).status, 200, reference)
  const imported = ['run-page.js', 'run-view.js'].flatMap((file) => [...read(file).matchAll(/from '\.\/(.+)'/g)])
  assert.ok(imported.length >= 2)
  for (const [, file] of imported) assert.equal((await ask(`/page/${file}`)).status, 200, file)
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|style=|\son\w+=/, 'nothing inline')
})

test('what agents wrote is put in as text, and the token never stands in an address', () => {
  const script = ['read-events.js', 'run-page.js', 'run-view.js', 'run-text.js'].map(read).join('')
  assert.doesNotMatch(
    script,
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser|localStorage|cookie/,
  )
  assert.doesNotMatch(script, /[?&](?:token|access_token)=/)
  assert.match(script, /sessionStorage/)
})

test('the page takes no other method', async () => {
  assert.equal((await ask('/runs/1/1', { method: 'POST' })).headers.get('allow'), 'GET, HEAD')
})
