/** What many machines that say they are remote workers cost the process that they are connected to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { one } from '#db/pool.ts'
import { machineAnswers, type Machine, type MachineOptions } from '#test/connect-machine.ts'
import { makeRun } from '#test/make-run.ts'
import { startAccepting } from '#test/start-accepting.ts'
import { until } from '#test/test-sandboxes.ts'

const machinesMax = 40
const { app, db, token, connect: connectMachine } = await startAccepting()
let claims = 0
countClaims(app.pool)

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
  const machines = Array.from({ length: machinesCount }, () => connectMachine({ token, ...options }))
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
  const good = connectMachine({ token })
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
