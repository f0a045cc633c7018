import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, openPool } from '#db/pool.ts'
import { makeOrganization } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { claim, claimRun } from './claim-run.ts'
import { forgetQueuedLabels } from './forget-queued-labels.ts'
import { queueDueRuns } from './queue-due-runs.ts'

const db = await testDb()
const deep = 2_000

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Tells what a claim reads, by a plan that is made at the first look and kept until PostgreSQL makes another, as workers keep theirs. */
async function openExplainer(workerId: number) {
  const session = openPool(db.url, { connectionsMax: 1, statementMs: 60_000 })
  await session.query('set plan_cache_mode = force_generic_plan')
  await session.query(`prepare claim (bigint, bigint[]) as ${claim.text.replaceAll('$3', 'gen_random_uuid()')}`)
  return {
    explain: async () => {
      await session.query('begin')
      const found = await one<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        session,
        `explain (analyze, format json) execute claim (${workerId}, '{}')`,
      )
      await session.query('rollback')
      const nodes = nodesOf(found['QUERY PLAN'][0].Plan)
      const scansOf = (table: string) => {
        const scans = nodes.filter((node) => node['Relation Name'] === table && node['Node Type'].endsWith(' Scan'))
        const read = (node: Node) =>
          (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
        return {
          types: new Set(scans.map((node) => node['Node Type'])),
          read: scans.reduce((sum, node) => sum + read(node), 0),
        }
      }
      return { heads: scansOf('run_heads'), slots: scansOf('run_slots') }
    },
    [Symbol.asyncDispose]: () => session.end(),
  }
}

/** Many queued runs of one organization, which are older than all that come after. */
async function makeDeepQueue({ labels = '{}', isLate = false, claims = 0 } = {}): Promise<number> {
  const { id, adminId } = await makeOrganization(db)
  await db.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, timeout_minutes, create_pull_request)
       select $1, $2, 'API', 'scripted', 'Wait', 60, false from generate_series(1, $3) returning organization_id, id)
     insert into run_heads (organization_id, run_id, status_detail, labels, claims, not_before)
     select organization_id, id, 'capacity', $4, $5, now() + case when $6 then interval '1 day' else interval '0' end from made`,
    [id, adminId, deep, labels, claims, isLate],
  )
  // As if it had waited for longest.
  await db.query(`update run_slots set served_at = now() - interval '1 day' where organization_id = $1`, [id])
  return id
}

test('whatever stands in front of it, a claim seeks its run and reads no queue, also as planned while nothing waited', async () => {
  await using worker = await registerTestWorker(db.url)
  await using explainer = await openExplainer(worker.workerId)
  const { heads } = await explainer.explain()
  assert.deepEqual([...heads.types], ['Index Scan'])
  await makeDeepQueue({ labels: '{gpu}' })
  await makeDeepQueue({ isLate: true })
  const full = await makeDeepQueue()
  await db.query('update run_slots set max_running = 0 where organization_id = $1', [full])
  const run = await makeRun(db)
  await db.query(`update workers set alive_until = now() + interval '1 hour'`)
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await db.query('analyze')
    const { heads, slots } = await explainer.explain()
    // Found, locked, and changed; of the organizations, the one with the label too, and where few are all the few.
    assert.ok(heads.read <= 6, `${heads.read} runs were read`)
    assert.ok(slots.read <= 10, `${slots.read} organizations were read`)
  }
  assert.equal((await claimRun(db, worker))?.runId, run.id)
  assert.equal(await claimRun(db, worker), undefined)
})

test('a worker that holds a run which was lost twice seeks the next one that was not', async () => {
  await db.query('update run_slots set max_running = 0')
  const organizationId = await makeDeepQueue({ claims: 2 })
  const { adminId: userId } = await makeOrganization(db)
  await using worker = await registerTestWorker(db.url)
  assert.equal((await claimRun(db, worker))?.claims, 3)
  assert.equal(await claimRun(db, worker), undefined)
  const fresh = await makeRun(db, { organizationId, userId })
  await using explainer = await openExplainer(worker.workerId)
  const { heads } = await explainer.explain()
  assert.ok(heads.read <= 7, `${heads.read} runs were read`)
  assert.equal((await claimRun(db, worker))?.runId, fresh.id)
})

test('a run is claimed once its time has come', async () => {
  await db.query('update run_slots set max_running = 0')
  const run = await makeRun(db)
  await db.query(`update run_heads set not_before = now() + interval '1 hour' where run_id = $1`, [run.id])
  await using worker = await registerTestWorker(db.url)
  await queueDueRuns(db)
  assert.equal(await claimRun(db, worker), undefined)
  // Time goes by without anybody writing `not_before`.
  await db.query('alter table run_heads disable trigger run_heads_due')
  await db.query('update run_heads set not_before = now() where run_id = $1', [run.id])
  await db.query('alter table run_heads enable trigger run_heads_due')
  assert.equal(await claimRun(db, worker), undefined)
  await queueDueRuns(db)
  assert.equal((await claimRun(db, worker))?.runId, run.id)
})

const labelsOf = async (organizationId: number) =>
  (
    await one<{ queuedLabels: string[] }>(db, 'select queued_labels from run_slots where organization_id = $1', [
      organizationId,
    ])
  ).queuedLabels

test('an organization with nothing queued is forgotten, but not while somebody queues a run of it', async () => {
  await db.query('update run_slots set max_running = 0')
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await makeRun(db, { organizationId, userId })
  await using worker = await registerTestWorker(db.url)
  assert.ok(await claimRun(db, worker))
  assert.deepEqual(await labelsOf(organizationId), ['{}'])
  const client = await db.connect()
  try {
    await client.query('begin')
    const run = await makeRun(client, { organizationId, userId })
    await forgetQueuedLabels(db)
    assert.deepEqual(await labelsOf(organizationId), ['{}'], 'nobody else sees the run yet')
    await client.query('commit')
    await forgetQueuedLabels(db)
    assert.equal((await claimRun(db, worker))?.runId, run.id)
  } finally {
    client.release()
  }
  await forgetQueuedLabels(db)
  assert.deepEqual(await labelsOf(organizationId), [])
  const next = await makeRun(db, { organizationId, userId })
  assert.equal((await claimRun(db, worker))?.runId, next.id)
})

test('a run is found by the labels that it asks for now', async () => {
  await db.query('update run_slots set max_running = 0')
  const run = await makeRun(db)
  await db.query(`update run_heads set labels = '{gpu}' where run_id = $1`, [run.id])
  assert.deepEqual((await labelsOf(run.organizationId)).toSorted(), ['{gpu}', '{}'])
  await using gpu = await registerTestWorker(db.url, { labels: ['gpu'] })
  assert.equal((await claimRun(db, gpu))?.runId, run.id)
})
