/** What many machines that say they are remote workers cost the process that they are connected to. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openApp } from '#app/app.ts'
import { readConfig } from '#base/config/config.ts'
import { Secret } from '#base/secrets/secret.ts'
import { one } from '#db/pool.ts'
import { connectMachine, machineAnswers, type Machine, type MachineOptions } from '#test/connect-machine.ts'
import { makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { Crew } from '#worker/crew/crew.ts'
import { acceptWorkers } from './accept-workers.ts'

const machinesMax = 40
const token = 'what the settings of the service say'
const folder = mkdtempSync(path.join(os.tmpdir(), 'many-machines-'))
const db = await testDb()
chmodSync(folder, 0o711)
const env = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: folder, RUNWRIGHT_LOG_LEVEL: 'silent' }
const app = await openApp(readConfig(env, { root: folder }))
let claims = 0
countClaims(app.pool)
const accepted = await acceptWorkers(app, {
  listen: { host: '127.0.0.1', port: 0 },
  token: new Secret(token),
  workers: new Set(),
  crew: new Crew(app),
})
const connections = new Set<() => void>()

after(async () => {
  for (const leave of connections) leave()
  await accepted[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const countWorkers = () =>
  count('select count(*)::int as count from workers where alive_until > now() and not draining')
const countTaken = () => count('select count(*)::int as count from runs where started_at is not null')
const countSessions = () =>
  count(
    `select count(*)::int as count from pg_stat_activity where application_name = 'runwright worker' and datname = current_database()`,
  )

/** Machines that have looked for runs once and found none. */
async function connect(machinesCount: number, options: MachineOptions = {}) {
  const looked = claims
  const machines = Array.from({ length: machinesCount }, () => connectMachine(accepted.url, { token, ...options }))
  for (const { leave } of machines) connections.add(leave)
  await until(async () => (await countWorkers()) === machinesCount, 'all are registered')
  await until(() => claims - looked >= machinesCount, 'each has looked')
  await sleep(1_000)
  return machines
}

async function leave(machines: Machine[]): Promise<void> {
  for (const machine of machines) machine.leave()
  await until(async () => (await countWorkers()) === 0, 'all have left')
}

test('they share a session, and look one after the other while there is nothing to do', async () => {
  const machines = await connect(machinesMax)
  assert.equal(await countSessions(), 1)
  const before = claims
  await sleep(10_000)
  // Every five seconds one of them; each by itself would make it 80.
  assert.ok(claims - before <= 4, `${claims - before} claims`)
  await leave(machines)
})

test('a queued run makes few of them look, and forty are taken all the same', async () => {
  const machines = await connect(machinesMax, { hello: { slots: 1 } })
  const before = claims
  await makeRun(db)
  await until(async () => (await countTaken()) === 1, 'it is taken')
  await sleep(300)
  const looks = claims - before
  assert.ok(looks <= 6, `${looks} claims`)
  for (let n = 1; n < machinesMax; n++) await makeRun(db)
  await until(async () => (await countTaken()) === machinesMax, 'all are')
  await leave(machines)
})

test('those whose disks do not answer keep another one from nothing', async () => {
  let areSilent = false
  const say = (path: string) => (path === '/disk' && areSilent ? undefined : machineAnswers[path])
  const machines = await connect(5, { say })
  const good = connectMachine(accepted.url, { token })
  connections.add(good.leave)
  await until(async () => (await countWorkers()) === 6, 'it is registered')
  await sleep(1_500)
  areSilent = true
  const begun = performance.now()
  await makeRun(db)
  await until(async () => (await countTaken()) === machinesMax + 1, 'it takes the run')
  // Each silent one is waited for ten seconds before it counts as unfit.
  assert.ok(performance.now() - begun < 5_000, `after ${performance.now() - begun} ms`)
  await leave([...machines, good])
})

test('a run that cannot be claimed makes those who leave it out look no more often than others', async () => {
  const machines = await connect(2)
  await db.query(`create function refuse_claim() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await db.query(
    `create trigger refuse_claim before update on run_heads for each row when (new.worker_id is not null) execute function refuse_claim()`,
  )
  await makeRun(db)
  await sleep(1_000)
  const before = claims
  await sleep(3_000)
  // One of them every 400 ms.
  assert.ok(claims > before && claims - before <= 12, `${claims - before} claims`)
  await db.query('drop function refuse_claim cascade')
  await leave(machines)
})

/** Counts the claims of the app. */
function countClaims(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]) => {
    if ((args[0] as { name?: string }).name === 'claim-run') claims++
    return query(...args)
  }
  pool.query = counted as typeof pool.query
}

async function count(statement: string): Promise<number> {
  return (await one<{ count: number }>(db, statement)).count
}
