import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { watchOverview } from '#domain/runs/overview/watch-overview.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from './build-server.ts'

const { app, rateLimiter } = await testApp()

/** As a process that has just been started would answer. */
async function look(options: Partial<typeof app> = {}): Promise<Looked> {
  const server = await buildServer({ app: { ...app, watchOverview: watchOverview(app.pool), ...options }, rateLimiter })
  const answer = await server.inject({ url: '/statusz' })
  const ready = await server.inject({ url: '/readyz' })
  await server.close()
  return { status: answer.statusCode, body: answer.json(), isReady: ready.statusCode === 200 }
}

type Looked = { status: number; body: Record<string, unknown>; isReady: boolean }

test('a service in order has no problem, also before it has a worker', async () => {
  assert.deepEqual(await look(), { status: 200, body: { status: 'ok', warnings: [] }, isReady: true })
  await makeRun(app.pool)
  const warnings = ['1 run is queued, and no worker is alive to take it.']
  assert.deepEqual(await look(), { status: 200, body: { status: 'ok', warnings }, isReady: true })
})

test('a process that cannot reach the database is not ready, and its log says so once', async () => {
  const pool = Object.assign(Object.create(app.pool), { query: () => new Promise(() => {}) })
  const logged: string[] = []
  const logger = openLogger({ level: 'info', destination: { write: (line) => logged.push(line) } })
  const server = await buildServer({ app: { ...app, pool, logger }, rateLimiter })
  const answers = await Promise.all([1, 2, 3].map(() => server.inject({ url: '/readyz' })))
  await server.close()
  assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [503])
  assert.equal(answers[0]?.json()['message'], 'PostgreSQL cannot be reached.')
  assert.equal(logged.filter((line) => line.includes('this process is not ready')).length, 1)
  assert.doesNotMatch(logged.join(''), /request failed/)
})

test('any process says that runs are stuck, for it looks at the database', async () => {
  const { workerId } = await makeHeldRun(app.pool)
  await app.pool.query(`update workers set alive_until = now() - interval '1 minute' where id = $1`, [workerId])
  const { status, body } = await look()
  assert.equal(status, 503)
  assert.partialDeepStrictEqual(body, { code: 'unavailable', status_code: 503 })
  assert.match(String(body['message']), /held by a worker whose lease ended/)
  await app.pool.query(`update workers set alive_until = now() + interval '1 minute' where id = $1`, [workerId])
  assert.equal((await look()).status, 200)
})

test('a store of files that cannot be reached is a problem of the service, and of no single process', async () => {
  const blobs = { ...app.blobs, probe: () => Promise.reject(new Error('the bucket s3://secret-name is away')) }
  const { status, body, isReady } = await look({ blobs })
  assert.deepEqual([status, isReady], [503, true])
  assert.equal(body['message'], 'The store of files cannot be reached.')
})

test('what does not answer in time is not waited for', async () => {
  const { status, body } = await look({ watchOverview: () => new Promise(() => {}) })
  assert.equal(status, 503)
  assert.equal(body['message'], 'PostgreSQL cannot be reached.')
})
