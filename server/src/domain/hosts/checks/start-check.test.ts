import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnforcementReport } from '#base/enforcement.ts'
import { one, rows } from '#db/pool.ts'
import { recordEgress } from '#domain/runs/egress/record-egress.ts'
import { finishSandbox } from '#domain/runs/sandboxes/finish-sandbox.ts'
import { claimJobs } from '#domain/hosts/jobs/claim-jobs.ts'
import { finishJob } from '#domain/hosts/jobs/finish-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { returnJob } from '#domain/hosts/jobs/return-job.ts'
import { startCheckSandbox } from './start-check-sandbox.ts'
import { makeOrganization, unique } from '#test/make.ts'
import { testBlobs } from '#test/test-blobs.ts'
import { testDb } from '#test/test-db.ts'
import { appendCheckLog, type AppendCheckLog } from './append-check-log.ts'
import { cancelUnwantedChecks } from './cancel-unwanted-checks.ts'
import { finishCheck } from './finish-check.ts'
import { isCheckWanted } from './is-check-wanted.ts'
import { listChecks } from './list-checks.ts'
import { queueChecks } from './queue-checks.ts'
import { readCheckLog } from './read-check-log.ts'
import { releaseCheck } from './release-check.ts'
import { startCheck, type ClaimedCheck } from './start-check.ts'
import { rerunCheck } from './rerun-check.ts'

const db = await testDb()
const blobs = testBlobs()
const kernel = 'kernel' as const
const enforcement = { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel }
const jobs = new Map<string, ClaimedJob>()
/** Claims the job of a check, and begins the check, as a worker does. */
async function claim(labels: string[] = [], isolation: EnforcementReport = enforcement) {
  const [job] = await claimJobs(db, {
    room: { check: 1 },
    workerId: null,
    organizationId: null,
    labels,
    enforcement: isolation,
  })
  if (job) jobs.set(job.claimId, job)
  return job && startCheck(db, job)
}
const jobOf = ({ claimId }: ClaimedCheck) => jobs.get(claimId)!
const expire = () => db.query(`update jobs set claimed_until = now() - interval '1 ms' where claimed_until is not null`)

type Place = { organizationId: number; repoId: number; commit: string }

/** A commit of a default branch whose checks wait. */
async function makeQueued(names: string[], options: Partial<Place> = {}, labels: string[] = []): Promise<Place> {
  const organizationId = options.organizationId ?? (await makeOrganization(db)).id
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch, labels) values ($1, 'local', $2, $2, 'main', $3) returning id`,
    [organizationId, unique('repo'), labels],
  )
  const place = { organizationId, repoId, commit: 'c'.repeat(40) }
  const commands = names.map((name) => ({ name, command: 'true' }))
  assert.equal(await queueChecks(db, { ...place, branch: 'main', commands }), names.length)
  return place
}

/** Nothing that an earlier test left is claimed by the next. */
async function endAll(): Promise<void> {
  await db.query(`update checks set status = 'completed', conclusion = 'skipped' where status <> 'completed'`)
  await db.query('delete from jobs')
}

async function finish(claimed: ClaimedCheck, conclusion: 'success' | 'failure' = 'success'): Promise<boolean> {
  const log = Buffer.from(conclusion)
  const isFinished = await finishCheck(db, { claimed, conclusion, summary: conclusion, log, blobs })
  await finishJob(db, { job: jobOf(claimed), againInMs: null })
  return isFinished
}
async function release(claimed: ClaimedCheck): Promise<void> {
  await releaseCheck(db, { claimed, isLost: false })
  await returnJob(db, jobOf(claimed))
}
const start = (claimed: ClaimedCheck) =>
  startCheckSandbox(db, {
    claimed,
    egress: { allow: [], presets: [] },
    provider: 'bubblewrap',
    worker: 'here',
    enforcement,
  })

const append = (claimed: ClaimedCheck, n: number, text: string, dropped: AppendCheckLog['dropped'] = null) =>
  appendCheckLog(db, { claimed, n, bytes: Buffer.from(text), dropped })
const logOf = (place: Place, { checkId }: ClaimedCheck, bytesMax = 1_000) =>
  readCheckLog(db, { ...place, key: String(checkId), blobs, bytesMax })
const piecesOf = async ({ organizationId }: Place) =>
  (await rows(db, 'select from check_log_pieces where organization_id = $1', [organizationId])).length

/** All that is stored of an organization's checks. */
const stateOf = async ({ organizationId }: Place) =>
  JSON.stringify([
    await rows(db, 'select * from checks where organization_id = $1 order by id', [organizationId]),
    await rows(db, 'select * from sandboxes where organization_id = $1 order by id', [organizationId]),
    await rows(db, 'select * from check_log_pieces where organization_id = $1 order by check_id, n', [organizationId]),
    await rows(db, 'select subject, event from host_events where organization_id = $1 order by id', [organizationId]),
  ])

test('each check is claimed by one worker, however many ask at once', async () => {
  await makeQueued(['a', 'b', 'c'])
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim()))).filter((one) => one !== undefined)
  assert.deepEqual(claimed.map(({ name }) => name).sort(), ['a', 'b', 'c'])
  assert.equal(await claim(), undefined)
  await endAll()
})

test('an organization with many checks does not keep another waiting', async () => {
  const many = await makeQueued(['a', 'b', 'c'])
  const few = await makeQueued(['z'])
  assert.equal((await claim())?.organizationId, many.organizationId)
  assert.equal((await claim())?.organizationId, few.organizationId)
  await endAll()
})

test('only a worker with the labels of the repository, and with isolation as required, takes its checks', async () => {
  const place = await makeQueued(['a'], {}, ['gpu'])
  assert.equal(await claim(), undefined)
  const require = (isolation: object) =>
    db.query(`update organizations set settings = jsonb_build_object('sandbox_require', $2::jsonb) where id = $1`, [
      place.organizationId,
      JSON.stringify(isolation),
    ])
  await require({ disk: 'kernel' })
  assert.equal(await claim(['gpu'], { ...enforcement, disk: 'polled' }), undefined)
  assert.ok(await claim(['gpu', 'other']))
  await endAll()
})

test('whoever has lost the claim writes nothing, reaches nothing, and starts no sandbox', async () => {
  const place = await makeQueued(['a'])
  const lost = await claim()
  assert.ok(lost)
  const holder = await start(lost)
  assert.ok(holder)
  const asked = { name: 'a.example', port: 443, isAllowed: true, reason: null }
  assert.deepEqual(await recordEgress(db, { holder, requests: [asked] }), [1])
  await expire()
  const next = await claim()
  assert.partialDeepStrictEqual(next, { checkId: lost.checkId, attempt: 2, losses: 1 })
  const before = await stateOf(place)
  assert.equal(await isCheckWanted(db, lost), false)
  await assert.rejects(startCheck(db, jobOf(lost)), { name: 'JobLost' })
  assert.equal(await finish(lost), false)
  await releaseCheck(db, { claimed: lost, isLost: true })
  await append(lost, 1, 'late')
  assert.equal(await start(lost), undefined)
  await finishSandbox(db, { ...holder, reason: 'late' })
  await assert.rejects(recordEgress(db, { holder, requests: [asked] }), { name: 'LeaseLost' })
  assert.equal(await stateOf(place), before)
  assert.ok(await isCheckWanted(db, next!))
  assert.ok(await finish(next!))
  assert.equal(await finish(next!, 'failure'), false)
  assert.partialDeepStrictEqual((await listChecks(db, place)).checks, [{ conclusion: 'success', summary: 'success' }])
})

test('what a check prints is read while it is at work and after its worker is lost; the next attempt begins anew', async () => {
  const place = await makeQueued(['a'])
  const first = (await claim())!
  assert.equal(await logOf(place, first), null)
  await append(first, 1, 'one\n')
  await append(first, 2, 'two\n')
  await append(first, 3, 'three\n')
  assert.equal(await logOf(place, first), 'one\ntwo\nthree\n')
  await append(first, 4, 'four\n', { from: 2, to: 3 })
  assert.equal(await logOf(place, first), 'one\n\n[What came here is left out.]\nfour\n')
  assert.equal(await logOf(place, first, 5), 'four\n')
  assert.equal(await logOf({ ...place, repoId: place.repoId + 1 }, first), null)
  await expire()
  assert.partialDeepStrictEqual((await listChecks(db, place)).checks, [{ status: 'in_progress', hasLog: true }])

  const second = (await claim())!
  assert.deepEqual([first.isAnew, second.isAnew], [false, true])
  assert.equal(await logOf(place, second), null)
  await append(second, 1, 'one again\n')
  await release(second)
  assert.equal(await logOf(place, second), 'one again\n', 'whoever hands it on leaves what it has printed')
  const third = (await claim())!
  await append(third, 1, 'so far\n')
  await finish(third)
  assert.equal(await logOf(place, third), 'success')
  assert.equal(await piecesOf(place), 0)
  await rerunCheck(db, { ...place, key: String(third.checkId) })
  assert.equal((await claim())?.isAnew, false, 'what was finished is not begun anew')
  await endAll()
})

test('nothing is left of what a check has printed once it is wanted by nobody', async () => {
  const place = await makeQueued(['a'])
  const claimed = (await claim())!
  await append(claimed, 1, 'so far\n')
  await release(claimed)
  await queueChecks(db, { ...place, commit: 'd'.repeat(40), branch: 'main', commands: [] })
  assert.equal(await cancelUnwantedChecks(db, place), 1)
  assert.equal(await piecesOf(place), 0)
  assert.partialDeepStrictEqual((await listChecks(db, place)).checks, [{ conclusion: 'cancelled', hasLog: false }])
})

test('a check runs again when somebody asks, and not twice at once', async () => {
  const place = await makeQueued(['a'])
  const claimed = await claim()
  assert.ok(claimed)
  const key = { ...place, key: String(claimed.checkId) }
  assert.ok(await rerunCheck(db, key), 'what is at work is what was asked for')
  await finish(claimed, 'failure')
  assert.ok(await rerunCheck(db, key))
  assert.partialDeepStrictEqual((await listChecks(db, place)).checks, [
    { status: 'queued', conclusion: null, summary: null, hasLog: false },
  ])
  assert.equal((await claim())?.attempt, 2)
  assert.equal(await claim(), undefined)
  assert.equal(await rerunCheck(db, { ...key, key: '999999' }), false)
  assert.equal(await rerunCheck(db, { ...key, repoId: place.repoId + 1 }), false)
  await endAll()
})

test('what is not the newest of its branch any more is wanted by nobody, and not run again', async () => {
  const place = await makeQueued(['a'])
  const claimed = await claim()
  assert.ok(claimed)
  await queueChecks(db, { ...place, commit: 'd'.repeat(40), branch: 'main', commands: [] })
  assert.equal(await isCheckWanted(db, claimed), false)
  await finish(claimed)
  assert.equal(await rerunCheck(db, { ...place, key: String(claimed.checkId) }), false)
})
