/** The machines of the service do not agree on what time it is, by hours. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { one } from '#db/pool.ts'
import { startService, untilReleased, type LogAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'

const hourMs = 3_600_000
const shift = pathToFileURL(path.join(import.meta.dirname, '../programs/shift-clock.mjs')).href
const clockAhead = (hours: number) => ({
  NODE_OPTIONS: `--import=${shift}`,
  CLOCK_AHEAD_MS: String(hours * hourMs),
  RUNWRIGHT_WORKER_SLOTS: '1',
})

const db = await testDb()
const early = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { ...clockAhead(2), RUNWRIGHT_SECRET_KEY: 'k'.repeat(40), RUNWRIGHT_BLOBS: await testFolder() },
})
const [late, worker] = await Promise.all([early.startApi(clockAhead(-2)), early.startWorker()])
const at = `/v1/organizations/${early.organizationId}`

test('the machines have the clocks that this file gives them', async () => {
  const hours = () =>
    Array.from(early.said().matchAll(/"time":"([^"]+)"/g), ([, time = '']) => (Date.parse(time) - Date.now()) / hourMs)
  await until(() => [2, -2].every((off) => hours().some((hour) => Math.round(hour) === off)), 'both are seen')
  assert.match(early.said(), /"event":"clock_differs"/)
})

test('a token is good until it expires, and no longer, wherever it was made and is shown', async () => {
  const make = (ms: number) => {
    const body = { name: 'short', expires_at: new Date(Date.now() + ms).toISOString() }
    return early.call<{ token: string }>('POST', `${at}/tokens`, body)
  }
  const statuses = (token: string) =>
    Promise.all(
      [early.url, late.url].map(async (url) => {
        const { status } = await fetch(`${url}${at}/agent/runs`, { headers: { authorization: `Bearer ${token}` } })
        return status
      }),
    )
  const { token: good } = await make(hourMs)
  assert.deepEqual(await statuses(good), [200, 200])
  const { token: brief } = await make(2_000)
  await until(async () => String(await statuses(brief)) === '401,401', 'neither takes it any more')
  assert.deepEqual(await statuses(good), [200, 200])
})

test('a worker keeps the run that it holds, and loses it once it is killed; the log has one time', async () => {
  const held = (id: number) =>
    one<{ leaseId: string; aliveUntil: Date; hasPassed: boolean }>(
      db,
      `select lease_id, alive_until, alive_until < now() as has_passed
       from run_heads join workers on workers.id = worker_id where run_id = $1`,
      [id],
    )
  const { id } = await early.play([{ shell: untilReleased }, { answer: 'Done.' }])
  await early.untilRun(id, ({ status_detail: detail }) => detail === 'working')
  const { dataDir: elsewhere } = await early.startElsewhere(clockAhead(-2))
  const { leaseId, aliveUntil } = await held(id)
  await until(async () => {
    const { now } = await one<{ now: Date }>(db, 'select now()')
    return now > aliveUntil
  }, 'the lease has ended where nobody has renewed it')
  assert.partialDeepStrictEqual(await held(id), { leaseId, hasPassed: false })

  worker.kill('SIGKILL')
  const workspace = path.join(elsewhere, 'sandboxes', `run-${early.organizationId}-${id}`, 'workspace')
  await until(() => existsSync(path.join(workspace, '.git')), 'the other one has taken it over')
  writeFileSync(path.join(workspace, '.git', 'released'), '')
  const run = await early.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + early.said())
  const times = (await early.log(id)).map((entry) =>
    Date.parse((entry as LogAnswer & { created_at: string }).created_at),
  )
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  for (const time of times) assert.ok(Math.abs(time - Date.now()) < hourMs)
})
