import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageType } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { one, openPool, rows } from '#db/pool.ts'
import { saveLogArchiving } from '#domain/accounts/organizations/save-log-archiving.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { batchReader } from '#domain/runs/subscriptions/read-batch.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { archiveLogs } from './archive-logs.ts'
import { archivePiece } from './archive-piece.ts'
import { listLog } from './list-log.ts'
import { LogPages } from './log-pages.ts'
import { packLog } from './pack-log.ts'

const db = await testDb()
// Runs here end and go on as far as their logs are concerned, and in no other way.
await db.query('alter table run_heads disable trigger user')
const store = testBlobs()
/** Counts what is read. */
let opened = 0
const blobs: typeof store = { ...store, get: (key) => (opened++, store.get(key)) }

type Log = RunIds & { lines: string[] }
const types: MessageType[] = ['ACTION', 'PLAN_EVALUATION', 'ERROR']

const setStatus = ({ organizationId, runId }: RunIds, status: 'completed' | 'in_progress') =>
  db.query(
    `with head as (update run_heads set status = $3 where organization_id = $1 and run_id = $2)
     update runs set finished_at = case when $3 = 'completed' then now() end where organization_id = $1 and id = $2`,
    [organizationId, runId, status],
  )

/** A run with so many entries that has ended. */
async function makeLog(entries: number, options: { organizationId?: number; userId?: number } = {}): Promise<Log> {
  const { organizationId, id: runId } = await makeRun(db, options)
  const log: Log = { organizationId, runId, lines: [] }
  await setStatus(log, 'completed')
  await append(log, entries)
  return log
}

/** `text`: of each entry. */
async function append(log: Log, entries: number, text = `So, then: \u{1F600} "quoted" \\ \\u0000`): Promise<void> {
  const { organizationId, runId, lines } = log
  const written = await rows<{ seq: number; createdAt: Date; body: string }>(
    db,
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, t.type, json_build_object('turn', 1, 'message_type', t.type, 'thought', $4::text || n)
     from generate_series($5::int, $5::int + $6::int - 1) n, lateral (select ($3::text[])[1 + (n * 7919) % 11 % 3] as type) t
     returning seq, created_at, body::text as body`,
    [organizationId, runId, types, text, lines.length + 1, entries],
  )
  // As the API has always shown it.
  for (const { seq, createdAt, body } of written)
    lines.push(`{"agent_run_id":${runId},"seq":${seq},"created_at":"${createdAt.toISOString()}",${body.slice(1)}`)
}

const archive = (ids: RunIds, entriesMax: number) =>
  archivePiece(db, { organizationId: ids.organizationId, runId: ids.runId, blobs, entriesMax })

async function archiveAll(ids: RunIds, entriesMax: number): Promise<number> {
  let pieces = 0
  while (await archive(ids, entriesMax)) pieces++
  return pieces
}

const countOf = async (table: 'log_entries' | 'log_archives' | 'log_pages', { organizationId, runId }: RunIds) =>
  (
    await one<{ count: number }>(
      db,
      `select count(*) as count from ${table} where organization_id = $1 and run_id = $2`,
      [organizationId, runId],
    )
  ).count

async function page(ids: RunIds, from: number, to: number, reverse = false): Promise<string> {
  const { organizationId, runId } = ids
  const read = await new LogPages(db, blobs).get(
    { organizationId, runId, from, to, reverse },
    { before: '', after: '' },
  )
  return read.toString()
}

const typeOf = (line: string) => (JSON.parse(line) as { message_type: MessageType }).message_type

/** Every way to read a log gives what the model says. */
async function assertReads(log: Log, random: (max: number) => number): Promise<void> {
  const { organizationId, runId, lines } = log
  const ids = { organizationId, runId }
  if (!lines.length) return
  const from = 1 + random(lines.length)
  const to = Math.min(lines.length, from + random(120))
  assert.equal(await page(ids, from, to), lines.slice(from - 1, to).join())
  assert.equal(
    await page(ids, from, to, true),
    lines
      .slice(from - 1, to)
      .reverse()
      .join(),
  )
  const hundred = 1 + 100 * random(Math.ceil(lines.length / 100))
  if (hundred + 99 <= lines.length)
    assert.equal(await page(ids, hundred, hundred + 99), lines.slice(hundred - 1, hundred + 99).join())
  const messageTypes = types.slice(random(3))
  const afterSeq = random(lines.length)
  const limit = 1 + random(50)
  const matching = lines.slice(afterSeq).filter((line) => messageTypes.includes(typeOf(line)))
  const list = (reverse: boolean) => listLog(db, { ...ids, blobs, messageTypes, afterSeq, limit, reverse })
  assert.deepEqual(await list(false), matching.slice(0, limit))
  assert.deepEqual(await list(true), matching.toReversed().slice(0, limit))
  const read = batchReader(db, blobs)
  const streamed: string[] = []
  for (let after = afterSeq; after < lines.length;) {
    const batch = await read({ ...ids, after, lastSeq: lines.length })
    streamed.push(...batch.entries.map(({ text }) => text))
    assert.ok(batch.lastSeq > after)
    after = batch.lastSeq
  }
  assert.deepEqual(streamed, lines.slice(afterSeq))
}

/** The same numbers each time. */
function randomOf(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * max)
  }
}

test('whatever is appended, archived and resumed in whatever order, a log reads the same', async () => {
  for (let seed = 1; seed <= 3; seed++) {
    const random = randomOf(seed)
    const log = await makeLog(random(300))
    for (let n = 0; n < 10; n++) {
      const act = random(4)
      if (act === 0) {
        await setStatus(log, 'in_progress')
        await append(log, 1 + random(250))
        assert.equal(await archive(log, 100), false, 'a run at work is left alone')
        await setStatus(log, 'completed')
      } else if (act === 1) await archive(log, 30 + random(150))
      else if (act === 2) await packLog(db, { ...log, entries: log.lines.length, blobs })
      else await archiveAll(log, 30 + random(200))
      await assertReads(log, random)
    }
    await archiveAll(log, 90)
    assert.deepEqual([await countOf('log_entries', log), await countOf('log_pages', log)], [0, 0])
    await assertReads(log, random)
  }
})

test('a page of a very long log opens one or two pieces, wherever it lies, and others only those with such entries', async () => {
  const { organizationId, runId } = await makeLog(0)
  const ids = { organizationId, runId }
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, case n when 77777 then 'USER_MESSAGE' else 'ACTION' end, json_build_object('thought', n) from generate_series(1, 100000) n`,
    [organizationId, runId],
  )
  const begins = [1, 50_451, 77_777, 99_901]
  const before = await Promise.all(begins.map((from) => page(ids, from, from + 99)))
  assert.equal(await archiveAll(ids, 1_000), 100)
  assert.equal(await countOf('log_entries', ids), 0)
  for (const [n, from] of begins.entries()) {
    opened = 0
    assert.equal(await page(ids, from, from + 99), before[n])
    assert.ok(opened <= 2, `${opened}`)
  }
  opened = 0
  for (const reverse of [false, true]) {
    const messageTypes: MessageType[] = ['USER_MESSAGE']
    const found = await listLog(db, { organizationId, runId, blobs, messageTypes, afterSeq: 0, limit: 100, reverse })
    assert.equal(found.length, 1)
    assert.ok(before[2]!.startsWith(found[0]!))
  }
  assert.equal(opened, 2)
})

test('the longest entries are as they were, and a piece has few of them', async () => {
  const log = await makeLog(3)
  await append(log, 9, '\u{1F600}'.repeat(limits.logEntryBytesMax / 4 - 40))
  assert.equal(await archiveAll(log, 1_000), 3)
  assert.equal(await page(log, 1, 12), log.lines.join())
  const streamed = await batchReader(db, blobs)({ ...log, after: 0, lastSeq: 12 })
  assert.ok(streamed.bytes <= limits.followedBytesMax)
})

test('what happens while a piece is stored loses nothing and doubles nothing', async () => {
  const log = await makeLog(40)
  const within = (work: () => Promise<unknown>) =>
    archivePiece(db, {
      ...log,
      blobs: {
        put: async (...put) => [await store.put(...put), await work()][0] as Awaited<ReturnType<typeof store.put>>,
      },
      entriesMax: 10,
    })
  const fails = async () => {
    throw new Error('killed')
  }
  await assert.rejects(within(fails), /killed/)
  assert.equal(await countOf('log_entries', log), 40)
  // Another one archives the same, the run goes on, or the bytes are swept meanwhile.
  assert.equal(await within(() => archive(log, 7)), false)
  assert.equal(await within(() => setStatus(log, 'in_progress')), false)
  await setStatus(log, 'completed')
  const sweep = async () => {
    await db.query(`update blobs set look_at = now() where kind = 'log_archives'`)
    while (await sweepBlobs(db, store));
  }
  assert.equal(await within(sweep), false)
  assert.equal(await countOf('log_archives', log), 1)
  assert.equal(await page(log, 1, 40), log.lines.join())
  await Promise.all(Array.from({ length: 4 }, () => archiveAll(log, 10)))
  assert.equal(await countOf('log_entries', log), 0)
  await sweep()
  assert.equal(await page(log, 1, 40), log.lines.join())
})

test('connections that PostgreSQL ends in the middle lose nothing and double nothing', async () => {
  const log = await makeLog(1_000)
  const own = openPool(db.url, { name: 'archiving', connectionsMax: 2 })
  const stop = new AbortController()
  let [ended, failures] = [0, 0]
  const ending = (async () => {
    while (!stop.signal.aborted) {
      const { rowCount } = await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'archiving' and datname = current_database() and query ~ 'log_'`,
      )
      ended += rowCount ?? 0
      await sleep(15)
    }
  })()
  for (let n = 0; n < 30; n++) await archivePiece(own, { ...log, blobs, entriesMax: 20 }).catch(() => failures++)
  stop.abort()
  await ending
  await own.end()
  assert.ok(ended > 0 && failures > 0, `${ended} ${failures}`)
  const archived = await one<{ entries: number; isWhole: boolean }>(
    db,
    `select coalesce(sum(last_seq - first_seq + 1), 0) as entries, coalesce(max(last_seq), 0) = coalesce(sum(last_seq - first_seq + 1), 0) as "isWhole"
     from log_archives where organization_id = $1 and run_id = $2`,
    [log.organizationId, log.runId],
  )
  assert.ok(archived.isWhole)
  assert.equal(archived.entries + (await countOf('log_entries', log)), 1_000)
  assert.equal(await page(log, 1, 1_000), log.lines.join())
})

test('an archive that is missing or damaged is named, and never a hole', async () => {
  const log = await makeLog(30)
  const { organizationId, runId } = log
  await archiveAll(log, 10)
  const { sha256 } = await one<{ sha256: string }>(
    db,
    'select sha256 from log_archives where organization_id = $1 and run_id = $2 and first_seq = 11',
    [organizationId, runId],
  )
  const readers = {
    page: () => page(log, 1, 30),
    list: () => listLog(db, { ...log, blobs, messageTypes: types, afterSeq: 0, limit: 30 }),
    stream: () => batchReader(db, blobs)({ ...log, after: 0, lastSeq: 30 }),
  }
  const bytes = await store.get({ organizationId, sha256 })
  await store.delete({ organizationId, sha256 })
  const message = (is: string) =>
    new RegExp(`^Entries 11 to 20 of the log of run ${runId} cannot be read: their archive ${sha256} .* is ${is}`)
  for (const [name, read] of Object.entries(readers))
    await assert.rejects(read, { code: 'internal', message: message('missing') }, name)
  const wrong: typeof store = { ...store, get: async (key) => (await store.get(key)) ?? Buffer.from('not it') }
  await assert.rejects(new LogPages(db, wrong).get({ ...log, from: 1, to: 30 }, { before: '', after: '' }), {
    message: message('damaged'),
  })
  assert.equal(await page(log, 21, 30), log.lines.slice(20).join())
  await store.put(organizationId, bytes!)
  assert.equal(await page(log, 1, 30), log.lines.join())
})

test('an organization archives what ended long enough ago, each run once, and again what went on', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const at = { organizationId, userId }
  const [old, young] = [await makeLog(250, at), await makeLog(5, at)]
  const none = await makeLog(0, at)
  const age = (ids: RunIds, days: number) =>
    db.query('update runs set finished_at = now() - make_interval(days => $2) where id = $1', [ids.runId, days])
  for (const log of [old, none]) await age(log, 31)
  await age(young, 29)
  const upkeep = async () => {
    await db.query('update log_archiving set due_at = now()')
    // Many at once do not disturb each other.
    await Promise.all(Array.from({ length: 3 }, () => archiveLogs(db, { blobs, workMs: 60_000 })))
  }
  await upkeep()
  assert.equal(await countOf('log_entries', old), 250)
  await saveLogArchiving(db, { organizationId, days: 30 })
  await upkeep()
  assert.deepEqual([await countOf('log_entries', old), await countOf('log_archives', old)], [0, 1])
  assert.equal(await countOf('log_entries', young), 5)
  await setStatus(old, 'in_progress')
  await append(old, 20)
  await setStatus(old, 'completed')
  await upkeep()
  assert.equal(await countOf('log_entries', old), 20)
  // Later than all that was looked at.
  await age(old, 30)
  await upkeep()
  assert.deepEqual([await countOf('log_entries', old), await countOf('log_archives', old)], [0, 2])
  assert.equal(await page(old, 1, 270), old.lines.join())
  await saveLogArchiving(db, { organizationId, days: null })
  await age(young, 100)
  await upkeep()
  assert.equal(await countOf('log_entries', young), 5)
})
