import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createClient } from '@runwright/sdk'
import { makeRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { compressionLimits } from './limits.ts'

const { app, url, member } = await testApp()
/** As long as what people write, and no more alike. */
const prose = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/ARCHITECTURE.md'), 'utf8')
let me: Awaited<ReturnType<typeof member>>
let list: string
let long: string
let short: string
before(async () => {
  me = await member()
  const ids = { organizationId: me.organizationId, userId: me.userId }
  for (let n = 1; n <= 25; n++) {
    const run = await makeRun(app.pool, { ...ids, prompt: `${n}. ${prose.slice(n * 500, n * 500 + 2_500)}` })
    long = `${me.path}/agent/run/${run.id}`
  }
  list = `${me.path}/agent/runs?limit=25`
  short = '/healthz'
})

type Given = { method?: string; headers?: Record<string, string>; body?: object }
type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

/** As it comes over the wire. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Given = {}): Promise<Raw> {
  const answer = await new Promise<Raw>((resolve, reject) => {
    const sent = request(url + path, {
      method,
      headers: { authorization: `Bearer ${me.token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        reject,
      )
    })
    sent.end(body && JSON.stringify(body))
  })
  return answer
}
const accepting = (coding: string, more: Record<string, string> = {}) => ({
  headers: { 'accept-encoding': coding, ...more },
})
const encodingOf = ({ headers }: Raw) => headers['content-encoding']
const lengthOf = ({ headers }: Raw) => Number(headers['content-length'])

test('a list of runs comes compressed to who takes gzip, and is the same', async () => {
  const plain = await ask(list)
  const small = await ask(list, accepting('gzip, deflate, br'))
  assert.deepEqual([plain.status, encodingOf(plain), small.status, encodingOf(small)], [200, undefined, 200, 'gzip'])
  assert.deepEqual(gunzipSync(small.bytes), plain.bytes)
  assert.equal((JSON.parse(plain.bytes.toString()) as { items: object[] }).items.length, 25)
  assert.deepEqual([lengthOf(plain), lengthOf(small)], [plain.bytes.length, small.bytes.length])
  assert.deepEqual([plain.headers.vary, small.headers.vary], ['accept-encoding', 'accept-encoding'])
  assert.equal(small.headers['content-type'], plain.headers['content-type'])
  assert.ok(small.bytes.length * 2 < plain.bytes.length)
  console.log(`25 runs: ${plain.bytes.length} bytes, compressed ${small.bytes.length}`)
})

test('HEAD says what GET would send', async () => {
  for (const coding of ['gzip', 'identity']) {
    const [got, head] = [await ask(list, accepting(coding)), await ask(list, { method: 'HEAD', ...accepting(coding) })]
    assert.deepEqual([head.status, head.bytes.length, encodingOf(head)], [200, 0, encodingOf(got)])
    assert.equal(lengthOf(head), got.bytes.length)
  }
})

test('who has an answer gets 304 by the tag that came with it, compressed or not', async () => {
  const plain = await ask(long)
  const small = await ask(long, accepting('gzip'))
  assert.deepEqual(gunzipSync(small.bytes), plain.bytes)
  assert.notEqual(small.headers.etag, plain.headers.etag, 'other bytes have another tag')
  for (const tag of [plain.headers.etag, small.headers.etag].map(String)) {
    for (const coding of ['gzip', 'identity']) {
      const same = await ask(long, accepting(coding, { 'if-none-match': tag }))
      assert.deepEqual([same.status, same.bytes.length, encodingOf(same)], [304, 0, undefined])
      assert.deepEqual([same.headers.etag, same.headers.vary], [tag, 'accept-encoding'])
      const weak = await ask(long, accepting(coding, { 'if-none-match': `"other", W/${tag}` }))
      assert.equal(weak.status, 304)
    }
  }
  await app.pool.query(`update runs set title = 'Another' where organization_id = $1`, [me.organizationId])
  const next = await ask(long, accepting('gzip', { 'if-none-match': `${plain.headers.etag}, ${small.headers.etag}` }))
  assert.deepEqual([next.status, encodingOf(next)], [200, 'gzip'])
})

test('a short answer, and one to who refuses gzip, is plain', async () => {
  for (const coding of ['gzip;q=0', 'br', 'identity', '*;q=0', 'gzip;q=0.2, identity'])
    assert.equal(encodingOf(await ask(list, accepting(coding))), undefined, coding)
  const answer = await ask(short, accepting('gzip'))
  assert.deepEqual([answer.status, encodingOf(answer), answer.headers.vary], [200, undefined, 'accept-encoding'])
  assert.ok(answer.bytes.length <= compressionLimits.bytesMin)
})

test('a long error comes compressed too', async () => {
  const wrong = `${me.path}/agent/runs?${Array.from({ length: 60 }, (_, n) => `status=wrong_${n}`).join('&')}`
  const plain = await ask(wrong)
  assert.ok(plain.bytes.length > compressionLimits.bytesMin, plain.bytes.toString())
  const small = await ask(wrong, accepting('gzip'))
  assert.deepEqual([small.status, encodingOf(small)], [400, 'gzip'])
  assert.equal((JSON.parse(gunzipSync(small.bytes).toString()) as { code: string }).code, 'invalid_request')
})

test('what holds a secret is plain, however long it is', async () => {
  const name = 'a'.repeat(200)
  const scopes = ['read']
  const made = await ask(`${me.path}/tokens`, { method: 'POST', body: { name, scopes }, ...accepting('gzip') })
  assert.deepEqual([made.status, encodingOf(made), made.headers.vary], [201, undefined, undefined])
  const form = await ask(`${me.path}/integrations/app-forms`, {
    method: 'POST',
    body: { return_url: `${url}/${'é'.repeat(400)}` },
    ...accepting('gzip'),
  })
  assert.ok(form.bytes.length > compressionLimits.bytesMin, `${form.bytes.length} bytes`)
  assert.deepEqual([form.status, encodingOf(form)], [201, undefined])
})

test('what is no JSON is as it was: a page, a stream', async () => {
  const stream = await ask(`${me.path}/agent/runs/stream`, { method: 'HEAD', ...accepting('gzip') })
  assert.deepEqual([stream.status, encodingOf(stream), stream.headers.vary], [200, undefined, undefined])
})

test('so many at once that there is no room are answered as they are, all of them', async () => {
  const plain = await ask(list)
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask(list, accepting('gzip'))))
  for (const answer of answers) {
    const bytes = encodingOf(answer) === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
    assert.equal(bytes.compare((await ask(list)).bytes), 0)
  }
  assert.equal(plain.status, 200)
})

test('the SDK, and anything that fetches, unpacks it on its own', async () => {
  const client = createClient({ baseUrl: url, token: me.token })
  const page = await client.runs.listRuns({ org_id: me.organizationId, limit: 25 })
  assert.equal(page.items.length, 25)
  const response = await fetch(url + list, { headers: { authorization: `Bearer ${me.token}` } })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.deepEqual(await response.json(), page)
})
