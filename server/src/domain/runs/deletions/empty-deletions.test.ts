import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { one, openPool, rows } from '#db/pool.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { deleteRun } from '#domain/runs/runs/delete-run.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { startChildRun } from '#domain/runs/runs/start-child-run.ts'
import { listAskers } from '#domain/runs/messages/list-askers.ts'
import { listUsage } from '#domain/runs/usage/list-usage.ts'
import { findAnsweredCommit } from '#domain/repos/environments/find-answered-commit.ts'
import { listLimitsInMoney } from '#domain/runs/budgets/limit-in-money.ts'
import { archivePiece } from '#domain/runs/logs/archive-piece.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { findInDatabase } from '#test/find-canary.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { emptyDeletions } from './empty-deletions.ts'

const db = await testDb()
const blobs = testBlobs()
const removed: string[] = []
const repositories = { removeRepository: async ({ path }: { path: string }) => void removed.push(path) }
const empty = (options: { workMs?: number } = {}) =>
  emptyDeletions(db, { repositories, onDeleted: () => {}, workMs: 60_000, ...options })
const remove = (ids: RunIds) => deleteRun(db, { ...ids, userId: null })
const isNotFound = { code: 'run_not_found' }

async function makeRepo(organizationId: number): Promise<number> {
  const { id } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  return id
}

/** As if an hour had passed since anything was stored. */
async function sweep(): Promise<void> {
  await db.query(`update blobs set look_at = look_at - interval '1 hour'`)
  while (await sweepBlobs(db, blobs));
}

/** Tables in which a number may still stand for a deleted run. */
const kept = [
  'deleted_runs',
  'deletions',
  'events',
  'checks',
  'host_requests',
  'awaited_reviews',
  'pulls',
  'pull_reviews',
]

async function tablesOf({ organizationId, runId }: RunIds): Promise<string[]> {
  const tables = await rows<{ tableName: string }>(
    db,
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'run_id' order by 1`,
  )
  assert.ok(tables.length > 25)
  const found: string[] = []
  for (const { tableName } of tables) {
    if (kept.includes(tableName)) continue
    const text = `select count(*) as count from ${tableName} where organization_id = $1 and run_id = $2`
    if ((await one<{ count: number }>(db, text, [organizationId, runId])).count > 0) found.push(tableName)
  }
  return found
}

const usedBy = async (organizationId: number) => (await getStorage(db, { organizationId })).used
const usageOf = async (organizationId: number) =>
  (await listUsage(db, { organizationId, groups: ['model'], skip: 0, limit: 10 })).items

test('of a deleted run nothing is left in any table or in the blob store, and what it cost stays counted', async () => {
  const organization = await makeOrganization(db)
  const before = await usedBy(organization.id)
  const word = unique('canary')
  const at = { organizationId: organization.id, userId: organization.adminId, repoId: await makeRepo(organization.id) }
  const { ids, blob, image } = await makeFullRun(db, { word, blobs, ...at })
  // Of its log a part is archived.
  await archivePiece(db, { ...ids, blobs, entriesMax: 50 })
  const { sha256 } = await one<{ sha256: string }>(db, 'select sha256 from log_archives where run_id = $1', [ids.runId])
  const usage = await usageOf(ids.organizationId)
  const found = await findInDatabase(db, word)
  for (const place of [
    'runs.prompt',
    'log_entries.body',
    'steps.request',
    'messages.body',
    'questions.text',
    'sandbox_logs.output',
  ])
    assert.ok(found.includes(place), `${place} of ${found.join()}`)
  assert.ok((await tablesOf(ids)).length >= 15)
  await remove(ids)
  await assert.rejects(getRun(db, ids), { ...isNotFound, message: /^Run \d+ was deleted on \d{4}-/ })
  await empty()
  await sweep()
  assert.deepEqual(await findInDatabase(db, word), [])
  assert.deepEqual(await tablesOf(ids), [])
  for (const named of [blob, image, { sha256 }])
    assert.equal(await blobs.get({ ...ids, sha256: named.sha256 }), undefined)
  assert.deepEqual(await usedBy(ids.organizationId), before)
  assert.deepEqual(await usageOf(ids.organizationId), usage)
  await assert.rejects(getRun(db, ids), isNotFound)
  await assert.rejects(remove(ids), isNotFound)
})

test('bytes that another run has too stay, and so does all else of it', async () => {
  const word = unique('canary')
  const { ids, blob, run } = await makeFullRun(db, { word, blobs, steps: 3 })
  const other = await makeFullRun(db, {
    word: unique('other'),
    blobs,
    steps: 3,
    organizationId: ids.organizationId,
    userId: run.userId!,
  })
  await db.query('update artifacts set sha256 = $3 where organization_id = $1 and run_id = $2', [
    ids.organizationId,
    other.run.id,
    blob.sha256,
  ])
  const before = await tablesOf(other.ids)
  await remove(ids)
  await empty()
  await sweep()
  assert.ok(await blobs.get({ ...ids, sha256: blob.sha256 }))
  assert.deepEqual(await tablesOf(other.ids), before)
})

test('bytes that somebody is about to name stay, though the run that named them is deleted', async () => {
  const { ids, blob } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  await db.query(`update blobs set look_at = now() + interval '59 minutes' where sha256 = $1`, [blob.sha256])
  await remove(ids)
  await empty()
  while (await sweepBlobs(db, blobs));
  assert.ok(await blobs.get({ ...ids, sha256: blob.sha256 }))
})

test('a run that has not ended is not deleted, and says what to do', async () => {
  const { holder } = await makeHeldRun(db)
  await assert.rejects(remove(holder), { code: 'conflict', message: /Cancel it first/ })
  const queued = await makeRun(db)
  await assert.rejects(remove({ ...queued, runId: queued.id }), { code: 'conflict' })
})

test('another organization deletes nothing of it', async () => {
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  const stranger = await makeOrganization(db)
  await assert.rejects(remove({ ...ids, organizationId: stranger.id }), isNotFound)
  await getRun(db, ids)
})

test('of a member the runs that somebody else started stay', async () => {
  const { ids, run } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  await assert.rejects(deleteRun(db, { ...ids, userId: run.userId! + 1 }), { code: 'forbidden' })
  await deleteRun(db, { ...ids, userId: run.userId })
})

test('a run that is resumed and deleted at once is one of the two, whole', async () => {
  const outcomes: string[] = []
  for (let n = 0; n < 10; n++) {
    const { ids, run } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
    const resume = () => resumeRun(db, { ...ids, prompt: 'More', images: [], userId: run.userId! })
    const both = n % 2 ? [remove(ids), resume()] : [resume(), remove(ids)]
    const failed = (await Promise.allSettled(both)).filter((one) => one.status === 'rejected')
    assert.equal(failed.length, 1)
    const { code } = failed[0]!.reason as { code: string }
    outcomes.push(code)
    await empty()
    if (code === 'run_not_found') assert.deepEqual(await tablesOf(ids), [])
    else assert.equal((await getRun(db, ids)).status, 'queued')
  }
  assert.deepEqual([...new Set(outcomes)].sort(), ['conflict', 'run_not_found'])
})

test('deleted by many at once, it is deleted once', async () => {
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => remove(ids)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.equal((outcome.reason as { code: string }).code, 'run_not_found')
})

test('what a worker still writes as its run is deleted leaves nothing', async () => {
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 30 })
  const stop = new AbortController()
  let page = 1_000
  const late: number[] = []
  const flush = async () => {
    while (!stop.signal.aborted) {
      const values = [ids.organizationId, ids.runId, page++]
      await db
        .query(`insert into log_pages (organization_id, run_id, page, size, body) values ($1, $2, $3, 1, '')`, values)
        .then(
          () => late.push(page),
          (error: Error) => assert.match(error.message, /foreign key/),
        )
    }
  }
  const flushing = [flush(), flush()]
  while (late.length < 20) await sleep(1)
  await remove(ids)
  await empty()
  stop.abort()
  await Promise.all(flushing)
  assert.deepEqual(await tablesOf(ids), [])
})

test('connections that PostgreSQL ends in the middle lose nothing and leave nothing', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => makeFullRun(db, { word: unique('canary'), blobs, steps: 5 })),
  )
  const own = openPool(db.url, { name: 'deleting', connectionsMax: 2 })
  for (const { ids } of made) await remove(ids)
  const stop = new AbortController()
  let ended = 0
  const end = async () => {
    while (!stop.signal.aborted) {
      const { rowCount } = await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity 
         where application_name = 'deleting' and datname = current_database() and state <> 'idle' and query ~ 'delet'`,
      )
      ended += rowCount ?? 0
      await sleep(3)
    }
  }
  const ending = end()
  let failures = 0
  const goOn = () => emptyDeletions(own, { repositories, onDeleted: () => {}, workMs: 60_000 }).catch(() => failures++)
  for (let n = 0; n < 15; n++) await goOn()
  stop.abort()
  await ending
  await goOn()
  await own.end()
  await empty()
  assert.ok(ended > 0 && failures > 0)
  for (const { ids } of made) assert.deepEqual(await tablesOf(ids), [])
  assert.deepEqual(await rows(db, 'select from deletions'), [])
})

test('what a deleted run had cost still counts for its family, whoever of it is left', async () => {
  const { holder, run } = await makeHeldRun(db, { maxCostUsd: 1 })
  const ids = { organizationId: run.organizationId, runId: run.id }
  const start = (key: string) => startChildRun(db, { holder, key, prompt: 'Help', title: null, repository: null })
  const [first, second] = [await start('a'), await start('b')]
  const spent = async (runId: number) =>
    (await listLimitsInMoney(db, { ...ids, runId })).map(({ limitUsd, spentUsd }) => ({ limitUsd, spentUsd }))
  await db.query(
    `insert into model_calls (organization_id, run_id, key, turn, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, reserved_usd)
     values ($1, $2, 'lost', 1, 'm', 1, 0, 0, 1, 0.1, 0.3)`,
    [ids.organizationId, first],
  )
  await db.query(`update run_heads set cost_usd = 0.1 where organization_id = $1 and run_id = $2`, [
    ids.organizationId,
    first,
  ])
  await db.query(
    `update run_heads set status = 'cancelled', lease_id = null, worker_id = null where organization_id = $1 and run_id in ($2, $3)`,
    [ids.organizationId, first, ids.runId],
  )
  assert.deepEqual(await spent(second), [{ limitUsd: 1, spentUsd: 0.3 }])
  await remove({ ...ids, runId: first })
  assert.deepEqual(await spent(second), [{ limitUsd: 1, spentUsd: 0.3 }])
  await remove(ids)
  await empty()
  assert.deepEqual(await spent(second), [{ limitUsd: 1, spentUsd: 0.3 }])
  assert.equal((await getRun(db, { ...ids, runId: second })).parentRunId, ids.runId)
  assert.partialDeepStrictEqual(await usageOf(ids.organizationId), [{ calls: 1, costUsd: 0.3 }])
})

test('who asked for a run from outside is still known for what its agent started', async () => {
  const asker = { id: '77', login: 'stranger' }
  const { holder, run } = await makeHeldRun(db, { asker })
  const ids = { organizationId: run.organizationId, runId: run.id }
  const child = await startChildRun(db, { holder, key: 'a', prompt: 'Help', title: null, repository: null })
  await db.query(
    `update run_heads set status = 'cancelled', lease_id = null, worker_id = null where organization_id = $1 and run_id = $2`,
    [ids.organizationId, ids.runId],
  )
  await remove(ids)
  assert.deepEqual(await listAskers(db, { ...ids, runId: child }), [asker])
  await empty()
  assert.deepEqual(await listAskers(db, { ...ids, runId: child }), [asker])
})

test('a branch that an agent has worked on is not taken for one of people', async () => {
  const organization = await makeOrganization(db)
  const repoId = await makeRepo(organization.id)
  const at = { organizationId: organization.id, userId: organization.adminId, repoId }
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1, branch: 'agent/work', ...at })
  await remove(ids)
  await empty()
  const repo = { organizationId: organization.id, id: repoId, defaultBranch: 'main' }
  const branches = new Map([['main', 'safe']])
  const answered = (baseBranch: string) => findAnsweredCommit(db, { repo, branches, baseBranch, baseCommit: 'own' })
  assert.equal(await answered('agent/work'), 'safe')
  assert.equal(await answered('of/people'), 'own')
})

test('a run without a repository takes its own along, and gives back what it took up', async () => {
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  for (const [scope, id] of [
    ['organization', ids.organizationId],
    ['run', ids.runId],
  ])
    await db.query(`select count_storage($1, $2, $3, 'git', 5000)`, [ids.organizationId, scope, id])
  await remove(ids)
  await empty()
  assert.ok(removed.includes(`${ids.organizationId}/run-${ids.runId}.git`))
  assert.equal((await usedBy(ids.organizationId)).git, 0)
})

test('a repository that cannot be removed keeps its run queued for deletion, and no other run', async () => {
  const { ids } = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  const later = await makeFullRun(db, { word: unique('canary'), blobs, steps: 1 })
  await remove(ids)
  await remove(later.ids)
  const isStuck = (path: string) => path.endsWith(`/run-${ids.runId}.git`)
  const failing = {
    removeRepository: async ({ path }: { path: string }) => {
      if (isStuck(path)) throw new Error('read-only file system')
    },
  }
  await assert.rejects(emptyDeletions(db, { repositories: failing, onDeleted: () => {} }), /could not be removed/)
  assert.deepEqual(await rows(db, 'select run_id from deletions'), [{ runId: ids.runId }])
  assert.ok((await tablesOf(ids)).length > 0)
  assert.deepEqual(await tablesOf(later.ids), [])
  await empty()
  assert.deepEqual(await tablesOf(ids), [])
})
