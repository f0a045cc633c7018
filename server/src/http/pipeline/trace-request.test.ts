import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from '#http/build-server.ts'

const { app, member, rateLimiter } = await testApp()
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = `00-${traceId}-00f067aa0ba902b7-01`

test('a request with a traceparent is answered and logged as part of that trace, and so is what it makes', async () => {
  const lines: string[] = []
  const logger = openLogger({ level: 'error', destination: { write: (line) => lines.push(line) } })
  const diff = () => Promise.reject(new Error('broken'))
  const hosts: typeof app.hosts = { ...app.hosts, git: (repo) => ({ ...app.hosts.git(repo), diff }) }
  const server = await buildServer({ app: { ...app, hosts, logger }, rateLimiter })
  const me = await member()
  const headers = { authorization: `Bearer ${me.token}`, traceparent: parent }
  const made = await server.inject({ method: 'POST', url: `${me.path}/agent/run`, headers, payload: { prompt: 'Go' } })
  assert.match(String(made.headers.traceresponse), new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
  const { id } = made.json<{ id: number }>()
  // Nothing of ours is traced here, so the run belongs to the sender's own span.
  const { rows } = await app.pool.query(`update runs set branch_commit = 'x' where id = $1 returning traceparent`, [id])
  assert.deepEqual(rows, [{ traceparent: parent }])
  const failed = await server.inject({ url: `${me.path}/agent/run/${id}/diff`, headers })
  assert.equal(failed.statusCode, 500)
  assert.equal((JSON.parse(lines.at(-1) ?? '{}') as { traceId?: string }).traceId, traceId)
  const without = await server.inject({ url: '/healthz' })
  assert.equal(without.headers.traceresponse, undefined)
  await server.close()
})
