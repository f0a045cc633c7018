import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createClient } from './client.ts'
import { RunwrightError } from './runwright-error.ts'

type Reply = number | 'hang up' | [status: number, headers: Record<string, string>]

/** A service that answers each request with the next of `replies`, and the last one for ever; and what it was sent. */
async function serve(replies: Reply[]) {
  const keys: (string | undefined)[] = []
  const server = http.createServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined)
    const reply = replies[Math.min(keys.length, replies.length) - 1]!
    if (reply === 'hang up') return request.socket.destroy()
    const [status, headers] = typeof reply === 'number' ? [reply, {}] : reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { keys, client: createClient({ baseUrl, token: 'a token' }), baseUrl }
}

test('a request that was cut off or came too early is sent again under the same key', async () => {
  const { keys, client } = await serve(['hang up', 503, [409, { 'retry-after': '0' }], 200])
  await client.runs.createRun({ org_id: 1, prompt: 'Fix it' })
  assert.equal(keys.length, 4)
  assert.equal(new Set(keys).size, 1)
  assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
  await client.runs.createRun({ org_id: 1, prompt: 'Fix it' })
  assert.notEqual(keys[4], keys[0], 'another request has another key')
})

test('reading has no key; what is wrong is not tried again', async () => {
  const { keys, client } = await serve([404, 409])
  await assert.rejects(
    client.runs.getRun({ org_id: 1, agent_run_id: 1 }),
    (error) => error instanceof RunwrightError && error.status === 404,
  )
  await assert.rejects(
    client.runs.cancelRun({ org_id: 1, agent_run_id: 1 }),
    (error) => error instanceof RunwrightError && error.status === 409,
  )
  assert.deepEqual([keys.length, keys[0]], [2, undefined])
})

test('a removal that may have been made is not sent again', async () => {
  const { keys, client } = await serve(['hang up', 204])
  await assert.rejects(client.tokens.revokeToken({ org_id: 1, token_id: 1 }))
  assert.equal(keys.length, 1)
})

test('it ends when the time is over, when it would have to wait for longer, and when it is told to', async () => {
  const { client, baseUrl, keys } = await serve([503])
  const once = createClient({ baseUrl, token: 'a token', retryForMs: 0 })
  await assert.rejects(once.users.getMe(), (error) => error instanceof RunwrightError && error.status === 503)
  assert.equal(keys.length, 1)
  const stop = new AbortController()
  const asked = client.logs.listLog({ org_id: 1, agent_run_id: 1 }, { signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await assert.rejects(asked)
  const slow = await serve([[429, { 'retry-after': '60' }]])
  await assert.rejects(
    slow.client.users.getMe(),
    (error) => error instanceof RunwrightError && error.retryAfterSeconds === 60,
  )
})
