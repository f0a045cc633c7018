/** What many machines that say they are remote workers cost the process that they are connected to. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { one } from '#db/pool.ts'
import { machineAnswers, type Machine, type MachineOptions } from '#test/connect-machine.ts'
import { makeRun } from '#test/make-run.ts'
import { startAccepting } from '#test/start-accepting.ts'
import { until } from '#test/test-sandboxes.ts'

const machinesMax = 40
const { app, db, token, connect: connectMachine } = await startAccepting()
const connected: Machine[] = []
let looks = 0
countLooks(app.pool)

const countWorkers = () =>
  count('select count(*)::int as count from workers where alive_until > now() and not draining')
const countTaken = () => count('select count(*)::int as count from runs where started_at is not null')
const countSessions = () =>
  count(
    `select count(*)::int as count from pg_stat_activity where application_name = 'runwright worker' and datname = current_database()`,
  )

/** However a test ends, the next one finds none. */
afterEach(async () => {
  for (const machine of connected.splice(0)) machine.leave()
  await until(async () => (await countWorkers()) === 0, 'all have left')
})

/** Waits until each machine has looked for runs once and found none. */
async function connect(machinesCount: number, options: Partial<MachineOptions> = {}): Promise<void> {
  const looked = looks
  for (let n = 0; n < machinesCount; n++) connectOne(options)
  await until(async () => (await countWorkers()) === machinesCount, 'all are registered')
  await until(() => looks - looked >= machinesCount, 'each has looked')
  await sleep(1_000)
}

function connectOne(options: Partial<MachineOptions> = {}): void {
  connected.push(connectMachine({ token, ...options }))
}

test('they share a session, and look one after the other while there is nothing to do', async () => {
  await connect(machinesMax)
  assert.equal(await countSessions(), 1)
  const before = looks
  await sleep(10_000)
  // Every five seconds one of them; each by itself would make it 80.
  assert.ok(looks > before && looks - before <= 4, `${looks - before} looks`)
})

test('a queued run makes few of them look, and forty are taken all the same', async () => {
  await connect(machinesMax, { hello: { slots: 1 } })
  const before = looks
  await makeRun(db)
  await until(async () => (await countTaken()) === 1, 'it is taken')
  await sleep(300)
  // Four claims or so, and a look after each that finds nothing; each by itself would make it 80.
  assert.ok(looks - before <= machinesMax / 2, `${looks - before} looks`)
  for (let n = 1; n < machinesMax; n++) await makeRun(db)
  await until(async () => (await countTaken()) === machinesMax, 'all are')
})

test('those whose disks do not answer keep another one from nothing', async () => {
  let areSilent = false
  const say = (path: string) => (path === '/disk' && areSilent ? undefined : machineAnswers[path])
  await connect(5, { say })
  connectOne()
  await until(async () => (await countWorkers()) === 6, 'it is registered')
  await sleep(1_500)
  areSilent = true
  const begun = performance.now()
  await makeRun(db)
  await until(async () => (await countTaken()) === machinesMax + 1, 'it takes the run')
  // Each silent one is waited for ten seconds before it counts as unfit.
  assert.ok(performance.now() - begun < 5_000, `after ${performance.now() - begun} ms`)
})

test('a run that cannot be claimed makes those who leave it out look no more often than others', async () => {
  await connect(2)
  await db.query(`create function refuse_claim() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
  await db.query(
    `create trigger refuse_claim before update on run_heads for each row when (new.worker_id is not null) execute function refuse_claim()`,
  )
  await makeRun(db)
  await sleep(1_000)
  const before = looks
  await sleep(3_000)
  // One of them every 400 ms, and a claim each time.
  assert.ok(looks > before && looks - before <= 24, `${looks - before} looks`)
  await db.query('drop function refuse_claim cascade')
})

/** Counts what the app asks of the queue. */
function countLooks(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]) => {
    if (['claim-run', 'has-queued-runs'].includes((args[0] as { name?: string }).name ?? '')) looks++
    return query(...args)
  }
  pool.query = counted as typeof pool.query
}

async function count(statement: string): Promise<number> {
  return (await one<{ count: number }>(db, statement)).count
}
