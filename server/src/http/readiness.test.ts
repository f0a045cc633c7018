import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchOverview } from '#domain/runs/overview/watch-overview.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from './build-server.ts'

const { app, rateLimiter } = await testApp()

/** As a process that has just been started would answer. */
async function ready(options: Partial<typeof app> = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const server = await buildServer({ app: { ...app, watchOverview: watchOverview(app.pool), ...options }, rateLimiter })
  const answer = await server.inject({ url: '/readyz' })
  await server.close()
  return { status: answer.statusCode, body: answer.json() }
}

test('a service in order is ready, also before it has a worker', async () => {
  assert.deepEqual(await ready(), { status: 200, body: { status: 'ok', warnings: [] } })
  await makeRun(app.pool)
  const warnings = ['1 run is queued, and no worker is alive to take it.']
  assert.deepEqual(await ready(), { status: 200, body: { status: 'ok', warnings } })
})

test('any process says that runs are stuck, for it looks at the database', async () => {
  const { workerId } = await makeHeldRun(app.pool)
  await app.pool.query(`update workers set alive_until = now() - interval '1 minute' where id = $1`, [workerId])
  const { status, body } = await ready()
  assert.equal(status, 503)
  assert.partialDeepStrictEqual(body, { code: 'unavailable', status_code: 503 })
  assert.match(String(body['message']), /held by a worker whose lease ended/)
  await app.pool.query(`update workers set alive_until = now() + interval '1 minute' where id = $1`, [workerId])
  assert.equal((await ready()).status, 200)
})

test('a store of files that cannot be reached makes the service unready', async () => {
  const blobs = { ...app.blobs, probe: () => Promise.reject(new Error('the bucket s3://secret-name is away')) }
  const { status, body } = await ready({ blobs })
  assert.equal(status, 503)
  assert.equal(body['message'], 'The store of files cannot be reached.')
})

test('what does not answer in time is not waited for', async () => {
  const { status, body } = await ready({ watchOverview: () => new Promise(() => {}) })
  assert.equal(status, 503)
  assert.equal(body['message'], 'PostgreSQL cannot be reached.')
})
