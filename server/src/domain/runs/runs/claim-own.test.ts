/** Workers that may take the runs of one organization, beside those that take them of all. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { claimJobs } from '#domain/hosts/jobs/claim-jobs.ts'
import { readOverview } from '#domain/runs/overview/read-overview.ts'
import { findLackingIsolation } from '#domain/runs/sandboxes/find-lacking-isolation.ts'
import { findUnserved } from '#domain/runs/workers/find-unserved.ts'
import { markUnserved } from '#domain/runs/workers/mark-unserved.ts'
import { makeDeepQueue } from '#test/make-deep-queue.ts'
import { makeOrganization } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { openExplainer } from '#test/scans.ts'
import { testDb } from '#test/test-db.ts'
import { claimRun, findNextRun, ownClaim } from './claim-run.ts'
import { hasQueuedRuns } from './has-queued-runs.ts'

const db = await testDb()
const kernel = 'kernel' as const
const walls = { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel }

// The queue is one for all organizations, so each test begins with an empty one.
beforeEach(async () => {
  await db.query(
    `update run_heads set worker_id = null, lease_id = null, status = 'cancelled' where status in ('in_progress', 'queued')`,
  )
  await db.query(`update run_slots set running = 0, queued_labels = '{}'`)
  await db.query('delete from workers')
})

const join = async (organizationId: number | null, more: { labels?: string[]; weak?: boolean } = {}) => {
  const { labels = [], weak = false } = more
  const enforcement = weak ? { ...walls, network: 'none' as const } : walls
  const session = await registerTestWorker(db.url, { organizationId, labels, enforcement })
  return Object.assign(session, { organizationId })
}
const queue = async (organization: { id: number; adminId: number }, count = 1) => {
  for (let n = 0; n < count; n++) await makeRun(db, { organizationId: organization.id, userId: organization.adminId })
}
const wantOwn = ({ id }: { id: number }) =>
  db.query('update run_slots set own_workers_only = true where organization_id = $1', [id])
const detailsOf = async ({ id }: { id: number }) =>
  (
    await rows<{ statusDetail: string }>(
      db,
      `select distinct status_detail from run_heads where organization_id = $1 and status = 'queued'`,
      [id],
    )
  ).map(({ statusDetail }) => statusDetail)

test('a worker of one organization takes its runs, and none of another one, however it asks', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await queue(theirs, 2)
  await using worker = await join(ours.id)
  assert.equal(await claimRun(db, worker), undefined)
  assert.equal(await findNextRun(db, worker), undefined)
  assert.equal(await hasQueuedRuns(db, worker), false)
  // What the row of the worker says decides, and not what it is asked as.
  for (const organizationId of [null, theirs.id])
    assert.equal(await claimRun(db, { workerId: worker.workerId, organizationId }), undefined)
  await queue(ours)
  assert.equal(await hasQueuedRuns(db, worker), true)
  assert.equal((await findNextRun(db, worker))?.organizationId, ours.id)
  assert.equal((await claimRun(db, worker))?.organizationId, ours.id)
  assert.equal(await claimRun(db, worker), undefined)
})

test('its runs count against the limit of the organization, wherever they are at work', async () => {
  const ours = await makeOrganization(db)
  await db.query('update run_slots set max_running = 2 where organization_id = $1', [ours.id])
  await queue(ours, 3)
  await using own = await join(ours.id)
  await using shared = await join(null)
  assert.ok(await claimRun(db, own))
  assert.ok(await claimRun(db, shared))
  for (const one of [own, shared]) assert.equal(await claimRun(db, one), undefined)
})

test('an organization loses none of its turns on workers of all by what its own take', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await db.query('update run_slots set max_running = 100 where organization_id = any($1)', [[ours.id, theirs.id]])
  await queue(ours, 20)
  await queue(theirs, 20)
  await using own = await join(ours.id)
  await using shared = await join(null)
  const served: number[] = []
  for (let n = 0; n < 10; n++) {
    assert.equal((await claimRun(db, own))?.organizationId, ours.id)
    served.push((await claimRun(db, shared))!.organizationId)
  }
  for (let n = 1; n < served.length; n++) assert.notEqual(served[n], served[n - 1], served.join())
})

test('where an organization wants its own workers alone, others take neither its runs nor its checks', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await wantOwn(ours)
  await queue(ours)
  await using shared = await join(null)
  assert.equal(await claimRun(db, shared), undefined)
  assert.equal(await hasQueuedRuns(db, shared), false)
  assert.deepEqual(await detailsOf(ours), ['no_own_worker'])
  await queue(theirs)
  assert.equal((await claimRun(db, shared))?.organizationId, theirs.id)
  await using other = await join(theirs.id)
  assert.equal(await claimRun(db, other), undefined)
  await using own = await join(ours.id)
  await markUnserved(db)
  assert.deepEqual(await detailsOf(ours), ['capacity'])
  assert.equal((await claimRun(db, own))?.organizationId, ours.id)
})

test('checks are taken by whom runs of the organization are taken by', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  for (const { id } of [ours, theirs]) {
    const check = await one<{ id: number }>(
      db,
      `with repo as (
         insert into repos (organization_id, name, host, path, default_branch) values ($1, 'checked', 'local', $2, 'main') returning id)
       insert into checks (organization_id, repo_id, commit, key, name, app, status, command)
       select $1, id, repeat('a', 40), 'test', 'test', 'runwright', 'queued', 'true' from repo returning id`,
      [id, `checked-${id}`],
    )
    await db.query(`insert into jobs (organization_id, kind, ref, key, due_at) values ($1, 'check', $2, $2, now())`, [
      id,
      String(check.id),
    ])
  }
  const claim = async (organizationId: number | null) => {
    const claimed = await claimJobs(db, {
      room: { check: 8 },
      workerId: null,
      organizationId,
      labels: [],
      enforcement: walls,
    })
    await db.query('update jobs set claimed_until = null, claim_id = null')
    return claimed.map((job) => job.organizationId).toSorted((one, other) => one - other)
  }
  assert.deepEqual(await claim(null), [ours.id, theirs.id])
  assert.deepEqual(await claim(ours.id), [ours.id])
  await wantOwn(ours)
  assert.deepEqual(await claim(null), [theirs.id])
  assert.deepEqual(await claim(ours.id), [ours.id])
})

test('what an organization waits for tells of workers that may serve it, and of no others', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await queue(ours)
  await queue(theirs)
  await db.query(`update run_heads set queued_at = now() - interval '1 hour' where status = 'queued'`)
  await using own = await join(ours.id)
  await markUnserved(db)
  assert.deepEqual([await detailsOf(ours), await detailsOf(theirs)], [['capacity'], ['no_worker']])
  assert.deepEqual(await findUnserved(db), [{ labels: [], runs: 1, reason: 'no_worker' }])
  await db.query(`update workers set unfit = '{disk_full}' where id = $1`, [own.workerId])
  await markUnserved(db)
  assert.deepEqual([await detailsOf(ours), await detailsOf(theirs)], [['no_fit_worker'], ['no_worker']])
  await wantOwn(theirs)
  await markUnserved(db)
  assert.deepEqual(await detailsOf(theirs), ['no_own_worker'])
  // The operator can do nothing about it.
  assert.deepEqual(await findUnserved(db), [{ labels: [], runs: 1, reason: 'no_fit_worker' }])
})

test('a weak machine of one organization keeps no run of another one from being made', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await db.query(
    `update organizations set settings = '{"sandbox_require": {"network": "kernel"}}' where id = any($1)`,
    [[ours.id, theirs.id]],
  )
  await using weak = await join(ours.id, { weak: true })
  assert.equal(await findLackingIsolation(db, { organizationId: theirs.id }), null)
  assert.match(String(await findLackingIsolation(db, { organizationId: ours.id })), /network/)
  assert.ok(weak.workerId)
})

test('the slots that are wanted are those of workers of all organizations', async () => {
  const [ours, theirs] = [await makeOrganization(db), await makeOrganization(db)]
  await wantOwn(ours)
  await queue(ours, 3)
  await queue(theirs, 2)
  await using own = await join(ours.id)
  await using shared = await join(null)
  assert.partialDeepStrictEqual(await readOverview(db), {
    queued: 5,
    workers: 2,
    freeSlots: 4,
    demand: [{ labels: [], queued: 2, wanted: 2, used: 0 }],
  })
  assert.ok((await claimRun(db, own)) && (await claimRun(db, shared)))
  assert.partialDeepStrictEqual(await readOverview(db), {
    inProgress: 2,
    freeSlots: 3,
    demand: [{ labels: [], queued: 1, wanted: 2, used: 1 }],
  })
})

test('a claim of one organization seeks its run, whatever waits of that one and of others', async () => {
  const organizationId = await makeDeepQueue(db)
  await makeDeepQueue(db)
  await makeDeepQueue(db, { labels: '{gpu}' })
  // So many that PostgreSQL does not read all of them rather than an index.
  await db.query(
    `with made as (insert into organizations (name) select 'o' || n from generate_series(1, 5000) as n returning id)
     insert into run_slots (organization_id) select id from made`,
  )
  await db.query(`update run_slots set queued_labels = '{"{}"}'`)
  await db.query('analyze')
  await using worker = await join(organizationId)
  await db.query(`update workers set alive_until = now() + interval '1 hour'`)
  await using explainer = await openExplainer(db.url, {
    types: 'bigint, bigint[]',
    text: ownClaim.text.replaceAll('$3', 'gen_random_uuid()'),
    values: `${worker.workerId}, '{}'`,
  })
  const scansOf = await explainer.explain()
  const [heads, slots] = [scansOf('run_heads').read, scansOf('run_slots').read]
  assert.ok(heads <= 6, `${heads} runs were read`)
  // Looked at, locked and changed.
  assert.ok(slots <= 3, `${slots} organizations were read`)
})
