import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/test-sandboxes.ts'
import { testDb } from '#test/test-db.ts'
import { leadSilenceMs, openLead } from './lead.ts'
import { rows } from './pool.ts'

const db = await testDb()

/** Processes that take part, and who of them leads. */
function open(count: number, { uses = true, ...more }: { uses?: boolean; turnMs?: number } = {}) {
  const leaders = new Set<number>()
  const begun: { n: number; at: number }[] = []
  const processes = Array.from({ length: count }, (_, n) =>
    openLead({
      databaseUrl: db.url,
      pool: db,
      ...more,
      onLead: async (session, stop) => {
        leaders.add(n)
        begun.push({ n, at: performance.now() })
        try {
          while (!stop.aborted) {
            if (uses) await session.query('select 1')
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
        } finally {
          leaders.delete(n)
        }
      },
    }),
  )
  return {
    leaders,
    begun,
    processes,
    [Symbol.asyncDispose]: async () => void (await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()))),
  }
}

type Session = { hasSnapshot: boolean; openSeconds: number }
const readSessions = () =>
  rows<Session>(
    db,
    `select wait_event_type = 'Lock' and backend_xmin is not null as "hasSnapshot", coalesce(extract(epoch from clock_timestamp() - xact_start), 0)::float8 as "openSeconds"
     from pg_stat_activity where datname = current_database() and application_name = 'runwright leader'`,
  )
const sessions = async () => (await readSessions()).length

/** As a process that is killed: its session ends without a word. */
const killLeader = () =>
  db.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 727004 and objid = 0 and granted
       and database = (select oid from pg_database where datname = current_database())`,
  )

test('one of many leads, two wait for it, and the others hold no connection', async () => {
  await using group = open(6)
  await until(async () => group.leaders.size === 1 && (await sessions()) === 3, 'one leads and two wait')
  assert.equal(group.leaders.size, 1)
})

test('where the leader is lost the next one leads at once', async () => {
  await using group = open(3)
  await until(async () => group.leaders.size === 1 && (await sessions()) === 3, 'one leads and two wait')
  const [first] = group.leaders
  const lostAt = performance.now()
  await killLeader()
  await until(() => group.begun.length === 2, 'another one leads')
  assert.ok(group.begun[1]!.at - lostAt < 400, `${group.begun[1]!.at - lostAt} ms`)
  assert.notEqual(group.begun[1]!.n, first)
})

test('one that ends leaves the lead to the next', async () => {
  await using group = open(2)
  await until(async () => group.leaders.size === 1 && (await sessions()) === 2, 'one leads and one waits')
  const [first] = group.leaders
  await group.processes[first!]![Symbol.asyncDispose]()
  await until(() => group.leaders.size === 1 && !group.leaders.has(first!), 'the other one leads')
})

test('of a leader that stands still PostgreSQL ends the session', async () => {
  await using frozen = open(1, { uses: false })
  await until(() => frozen.leaders.size === 1, 'one leads')
  await using other = open(1)
  const begun = performance.now()
  await until(() => other.leaders.size === 1, 'the other one leads')
  assert.ok(performance.now() - begun < leadSilenceMs + 1_000)
})

test('who waits to lead keeps no dead row from being removed, and no transaction is open for long', async () => {
  await using group = open(3, { turnMs: 300 })
  await until(async () => group.leaders.size === 1 && (await sessions()) === 3, 'one leads and two wait')
  const [first] = group.leaders
  const [snapshots, ages]: [number[], number[]] = [[], []]
  for (const end = performance.now() + 2_000; performance.now() < end;) {
    const seen = await readSessions()
    snapshots.push(seen.filter(({ hasSnapshot }) => hasSnapshot).length)
    ages.push(...seen.map(({ openSeconds }) => openSeconds))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.deepEqual([...new Set(snapshots)], [0])
  assert.deepEqual([group.begun.length, [...group.leaders]], [1, [first]])
  assert.ok(Math.max(...ages) > 0.1 && Math.max(...ages) < 1, `${Math.max(...ages)} s`)
})
