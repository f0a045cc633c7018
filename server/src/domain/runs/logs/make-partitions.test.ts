import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { makePartitions, makePartitionsStatement } from './make-partitions.ts'

const db = await testDb()
const million = 1_000_000

const setNext = (id: number) => db.query(`select setval(pg_get_serial_sequence('runs', 'id'), $1)`, [id])
const has = async (name: string) =>
  (await one<{ has: boolean }>(db, 'select to_regclass($1) is not null as has', [name])).has
const partitionOf = async (table: string, runId: number) =>
  (await one<{ name: string }>(db, `select tableoid::regclass::text as name from ${table} where run_id = $1`, [runId]))
    .name
const addEntries = (organizationId: number, runId: number, count = 1) =>
  db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'THOUGHT', '{}' from generate_series(1, $3) as n`,
    [organizationId, runId, count],
  )

test('partitions are there well ahead of a million runs, and no run is read for it', async () => {
  await setNext(million)
  const plan = await rows<{ 'QUERY PLAN': string }>(db, `explain ${makePartitionsStatement}`)
  assert.equal(plan.length, 1)
  assert.match(plan[0]?.['QUERY PLAN'] ?? '', /^Result/)
  await makePartitions(db)
  for (const n of [10, 11, 12])
    for (const table of ['steps', 'log_entries']) assert.ok(await has(`${table}_${n}`), `${table}_${n}`)
  const { run } = await makeHeldRun(db)
  assert.ok(run.id > million)
  await addEntries(run.organizationId, run.id)
  assert.equal(await partitionOf('log_entries', run.id), 'log_entries_10')
})

test('a run whose partition nobody has made has a log all the same, and its partition later', async () => {
  await setNext(5 * million)
  const { run } = await makeHeldRun(db)
  await addEntries(run.organizationId, run.id, 100)
  assert.equal(await has('log_entries_50'), false)
  const before = await rows(db, 'select * from log_entries where run_id = $1 order by seq', [run.id])
  assert.equal(before.length, 100)
  await makePartitions(db)
  assert.deepEqual(await rows(db, 'select * from log_entries where run_id = $1 order by seq', [run.id]), before)
  assert.deepEqual(
    await rows(db, 'select distinct tableoid::regclass::text as name from log_entries where run_id = $1', [run.id]),
    [{ name: 'log_entries_50' }],
  )
  assert.deepEqual(await rows(db, 'select from log_entries_default'), [])
  await assert.rejects(addEntries(run.organizationId, run.id), { code: '23505' })
})

test('more than can be moved in passing stays where it is, and hinders nobody', async () => {
  await setNext(7 * million)
  const { run } = await makeHeldRun(db)
  await addEntries(run.organizationId, run.id, 50_001)
  await makePartitions(db)
  assert.equal(await has('log_entries_70'), false)
  assert.ok(await has('log_entries_71'))
  assert.equal(
    (await one<{ n: number }>(db, 'select count(*) as n from log_entries where run_id = $1', [run.id])).n,
    50_001,
  )
  await db.query('delete from log_entries where run_id = $1', [run.id])
})

test('many processes make them at once, beside somebody who writes', async () => {
  await setNext(9 * million)
  const { run } = await makeHeldRun(db)
  await Promise.all([
    ...Array.from({ length: 20 }, () => makePartitions(db)),
    ...Array.from({ length: 5 }, () => addEntries(run.organizationId, 9 * million + 1).catch(() => {})),
  ])
  await makePartitions(db)
  assert.ok(await has('steps_90'))
  assert.deepEqual(await rows(db, 'select from log_entries_default'), [])
})

test('who writes meanwhile to a run without a partition is waited for', async () => {
  await setNext(11 * million)
  const { run } = await makeHeldRun(db)
  const writer = await db.connect()
  try {
    await writer.query('begin')
    await writer.query(
      `insert into log_entries (organization_id, run_id, seq, message_type, body) values ($1, $2, 1, 'THOUGHT', '{}')`,
      [run.organizationId, run.id],
    )
    const making = makePartitions(db)
    await untilBlocked()
    await writer.query('commit')
    await making
  } finally {
    writer.release()
  }
  assert.equal(await partitionOf('log_entries', run.id), 'log_entries_110')
})

async function untilBlocked(): Promise<void> {
  const isBlocked = `select exists (select from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())) as is`
  while (!(await one<{ is: boolean }>(db, isBlocked)).is);
}
