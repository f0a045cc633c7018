import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { saveRetention } from '#domain/accounts/organizations/save-retention.ts'
import { deleteRun } from '#domain/runs/runs/delete-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { applyRetention } from './apply-retention.ts'
import { emptyDeletions } from './empty-deletions.ts'

const db = await testDb()
const repositories = { removeRepository: async () => {} }

async function makeRuns({
  runs,
  entries,
}: {
  runs: number
  entries: number
}): Promise<{ organizationId: number; runIds: number[] }> {
  const { id: organizationId } = await makeOrganization(db)
  const made = await rows<{ id: number }>(
    db,
    `with made as (
       insert into runs (organization_id, source_type, agent_type, prompt, create_pull_request, timeout_minutes, finished_at)
       select $1, 'API', 'scripted', 'x', false, 60, now() - interval '10 days' from generate_series(1, $2) returning id)
     insert into run_heads (organization_id, run_id, status) select $1, id, 'completed' from made returning run_id as id`,
    [organizationId, runs],
  )
  const runIds = made.map(({ id }) => id)
  // In pieces, since no statement may take longer than some seconds.
  for (let from = 1; from <= entries; from += 10_000)
    await db.query(
      `insert into log_entries (organization_id, run_id, seq, message_type, body)
       select $1, run_id, n, 'ERROR', json_build_object('observation', repeat('x', 200))
       from unnest($2::bigint[]) run_id, generate_series($3::int, least($3 + 9999, $4)) n`,
      [organizationId, runIds, from, entries],
    )
  return { organizationId, runIds }
}

async function emptyAll(): Promise<void> {
  do {
    await applyRetention(db)
    await emptyDeletions(db, { repositories, onDeleted: () => {} })
  } while ((await rows(db, 'select from deletions limit 1')).length)
}

const left = async (table: string, organizationId: number) =>
  (
    await one<{ count: number }>(db, `select count(*) as count from ${table} where organization_id = $1`, [
      organizationId,
    ])
  ).count

test('250,000 log entries that are kept no longer go, and as many of another organization stay', async () => {
  const old = await makeRuns({ runs: 1, entries: 250_000 })
  const other = await makeRuns({ runs: 5, entries: 50_000 })
  await saveRetention(db, { organizationId: old.organizationId, retention: { logs: 3 } })
  await emptyAll()
  assert.equal(await left('log_entries', old.organizationId), 0)
  assert.equal(await left('runs', old.organizationId), 1)
  assert.equal(await left('log_entries', other.organizationId), 250_000)
})

test('10,000 runs that are deleted at once are gone, while no statement takes long', async () => {
  const { organizationId, runIds } = await makeRuns({ runs: 10_000, entries: 3 })
  const waiting = [...runIds]
  const people = Array.from({ length: 8 }, async () => {
    for (let runId = waiting.pop(); runId; runId = waiting.pop())
      await deleteRun(db, { organizationId, runId, userId: null })
  })
  const over = new AbortController()
  let longestMs = 0
  const watch = async () => {
    while (!over.signal.aborted) {
      const { ms } = await one<{ ms: number }>(
        db,
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start) * 1000), 0)::float8 as ms from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      longestMs = Math.max(longestMs, ms)
    }
  }
  const watching = watch()
  await Promise.all([...people, emptyAll()])
  await emptyAll()
  over.abort()
  await watching
  for (const table of ['runs', 'run_heads', 'log_entries', 'deletions'])
    assert.equal(await left(table, organizationId), 0, table)
  assert.equal(await left('deleted_runs', organizationId), 10_000)
  assert.ok(longestMs < 3_000, `a transaction took ${longestMs} ms`)
})
