import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import type { DeletedPart } from '#base/deleted-part.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { saveRetention } from '#domain/accounts/organizations/save-retention.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { archivePiece } from '#domain/runs/logs/archive-piece.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { listUsage } from '#domain/runs/usage/list-usage.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { applyRetention } from './apply-retention.ts'
import { emptyDeletions } from './empty-deletions.ts'

const db = await testDb()
const blobs = testBlobs()
const removed: string[] = []
const gone: [string, number][] = []
const repositories = { removeRepository: async ({ path }: { path: string }) => void removed.push(path) }

/** As the upkeep does it, as if it were the next time. */
async function upkeep(): Promise<void> {
  await db.query('update retention set due_at = now()')
  await applyRetention(db)
  await emptyDeletions(db, { repositories, onDeleted: (part, runs) => gone.push([part, runs]), workMs: 60_000 })
}

const keep = (organizationId: number, part: DeletedPart, days: number | null) =>
  saveRetention(db, { organizationId, retention: { [part]: days } })

const age = ({ organizationId, runId }: RunIds, days: number) =>
  db.query(
    `with message as (update messages set created_at = created_at - make_interval(days => $3) where organization_id = $1 and run_id = $2),
       artifact as (update artifacts set created_at = created_at - make_interval(days => $3) where organization_id = $1 and run_id = $2)
     update runs set finished_at = finished_at - make_interval(days => $3) where organization_id = $1 and id = $2`,
    [organizationId, runId, days],
  )

const tables = {
  logs: ['log_archives', 'log_entries', 'log_pages', 'steps'],
  artifacts: ['artifacts'],
  egress: ['egress_requests'],
  model_calls: ['model_calls'],
}
const count = async (table: string, { organizationId, runId }: RunIds) =>
  (
    await one<{ count: number }>(
      db,
      `select count(*) as count from ${table} where organization_id = $1 and run_id = $2`,
      [organizationId, runId],
    )
  ).count

async function leftOf(ids: RunIds): Promise<string[]> {
  const all = Object.values(tables).flat()
  const counts = await Promise.all(all.map((table) => count(table, ids)))
  return all.filter((_, n) => counts[n]! > 0)
}

for (const [part, emptied] of Object.entries(tables) as [keyof typeof tables, string[]][])
  test(`of runs that ended longer ago than ${part} are kept those are gone, and nothing else`, async () => {
    const old = await makeFullRun(db, { word: unique('old'), blobs })
    const { organizationId } = old.ids
    const young = await makeFullRun(db, { word: unique('young'), blobs, organizationId, userId: old.run.userId! })
    for (const { ids } of [old, young]) await archivePiece(db, { ...ids, blobs, entriesMax: 1 })
    await db.query(
      `insert into log_pages (organization_id, run_id, page, size, body) select organization_id, id, 1, 1, '' from runs where id = any($1)`,
      [[old.run.id, young.run.id]],
    )
    const usage = () => listUsage(db, { organizationId, groups: ['model'], skip: 0, limit: 10 })
    const before = await usage()
    await age(old.ids, 31)
    await age(young.ids, 29)
    await keep(organizationId, part, 30)
    await upkeep()
    const all = Object.values(tables).flat()
    assert.deepEqual(
      await leftOf(old.ids),
      all.filter((table) => !emptied.includes(table)),
    )
    assert.deepEqual(await leftOf(young.ids), all)
    assert.deepEqual(await usage(), before)
    assert.equal((await getRun(db, old.ids)).prompt, old.run.prompt)
    assert.deepEqual(gone.splice(0), [[part, 1]])
    await upkeep()
    assert.deepEqual(gone, [])
  })

test('runs that ended longer ago than runs are kept are deleted, those that go on are not', async () => {
  const old = await makeFullRun(db, { word: unique('old'), blobs, steps: 1 })
  const { organizationId } = old.ids
  const at = { organizationId, userId: old.run.userId! }
  const young = await makeFullRun(db, { word: unique('young'), blobs, steps: 1, ...at })
  const resumed = await makeFullRun(db, { word: unique('resumed'), blobs, steps: 1, ...at })
  const { holder } = await makeHeldRun(db, at)
  for (const { ids } of [old, resumed]) await age(ids, 8)
  await age(young.ids, 6)
  await resumeRun(db, { ...resumed.ids, prompt: 'More', images: [], userId: at.userId })
  await keep(organizationId, 'runs', 7)
  await upkeep()
  await assert.rejects(getRun(db, old.ids), { code: 'run_not_found' })
  for (const ids of [young.ids, resumed.ids, holder]) await getRun(db, ids)
})

test('a run without its log is an empty one, and does not continue', async () => {
  const { ids, run } = await makeFullRun(db, { word: unique('old'), blobs })
  await age(ids, 2)
  await keep(ids.organizationId, 'logs', 1)
  await upkeep()
  assert.equal((await getRun(db, ids)).logTotal, 0)
  const resume = resumeRun(db, { ...ids, prompt: 'More', images: [], userId: run.userId! })
  await assert.rejects(resume, { code: 'conflict', message: /kept no longer.*Start a new run/ })
  const { logs } = await one<{ logs: number }>(
    db,
    `select logs from storage where organization_id = $1 and scope = 'organization'`,
    [ids.organizationId],
  )
  assert.equal(logs, 0)
})

test('the repositories of runs without one go, of others nothing', async () => {
  const { ids } = await makeFullRun(db, { word: unique('old'), blobs, steps: 1 })
  await age(ids, 2)
  await keep(ids.organizationId, 'repositories', 1)
  removed.length = 0
  await upkeep()
  assert.deepEqual([...new Set(removed)], [`${ids.organizationId}/run-${ids.runId}.git`])
  assert.ok(await count('log_entries', ids))
})

test('hundreds of runs that ended in one moment are all found, whoever stops in between', async () => {
  const { id: organizationId, adminId } = await makeOrganization(db)
  await db.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, create_pull_request, timeout_minutes, finished_at)
       select $1, $2, 'API', 'scripted', 'x', false, 60, now() - interval '3 days' from generate_series(1, 950) returning id)
     insert into run_heads (organization_id, run_id, status) select $1, id, 'completed' from made`,
    [organizationId, adminId],
  )
  await keep(organizationId, 'runs', 2)
  for (let n = 0; n < 3; n++) await applyRetention(db, { workMs: 1 })
  await Promise.all(Array.from({ length: 4 }, upkeep))
  await upkeep()
  for (const table of ['runs', 'run_heads', 'deletions'])
    assert.deepEqual(await rows(db, `select from ${table} where organization_id = $1`, [organizationId]), [], table)
  assert.equal((await rows(db, 'select from deleted_runs where organization_id = $1', [organizationId])).length, 950)
})

test('what is kept for ever again is not looked for, and other organizations keep theirs', async () => {
  const mine = await makeFullRun(db, { word: unique('old'), blobs, steps: 1 })
  const other = await makeFullRun(db, { word: unique('old'), blobs, steps: 1 })
  for (const { ids } of [mine, other]) await age(ids, 100)
  const { organizationId } = mine.ids
  await keep(organizationId, 'runs', 50)
  await keep(organizationId, 'egress', 50)
  await keep(organizationId, 'runs', null)
  const nothing = { runs: null, logs: null, artifacts: null, egress: null, model_calls: null, repositories: null }
  assert.deepEqual((await getOrganization(db, { organizationId })).retention, { ...nothing, egress: 50 })
  await upkeep()
  await getRun(db, mine.ids)
  assert.deepEqual((await leftOf(mine.ids)).includes('egress_requests'), false)
  assert.equal((await leftOf(other.ids)).includes('egress_requests'), true)
})
