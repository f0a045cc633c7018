import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { claimJobs, type ClaimJobs } from './claim-jobs.ts'
import { finishJob } from './finish-job.ts'
import { holdJob } from './hold-job.ts'
import type { ClaimedJob, JobKind } from './job.ts'
import { releaseJob } from './release-job.ts'
import { removeJobs } from './remove-jobs.ts'
import { renewJobs } from './renew-jobs.ts'
import { requestJob } from './request-job.ts'
import { returnJob } from './return-job.ts'
import { sweepJobs } from './sweep-jobs.ts'

const db = await testDb()
beforeEach(async () => {
  await db.query('delete from jobs')
})

const kernel = 'kernel' as const
const worksAs = {
  workerId: null,
  organizationId: null,
  labels: [],
  enforcement: { memory: kernel, cpu: kernel, processes: kernel, disk: kernel, network: kernel, kill: kernel },
}
const claim = (room: ClaimJobs['room'] = { host_event: 8 }, except: number[] = []) =>
  claimJobs(db, { ...worksAs, room, except })
const refsOf = (jobs: ClaimedJob[]) => jobs.map(({ ref }) => ref).sort()
const finish = (job: ClaimedJob | undefined) => finishJob(db, { job: job!, againInMs: null })
const policy = { triesMax: 4, pauseMs: 1_000, pauseMsMax: 3_000 }
const release = (job: ClaimedJob | undefined, retryInMs?: number) =>
  releaseJob(db, { job: job!, problem: 'no', retryInMs, policy })
const expire = () => db.query('update jobs set claimed_until = now() where claimed_until is not null')
const dueNow = () => db.query('update jobs set due_at = now() where due_at is not null')
const count = async () => (await one<{ n: number }>(db, 'select count(*) as n from jobs')).n
const jobOf = (ref: string) =>
  one<{ dueInMs: number | null; tries: number; problem: string | null; isGivenUp: boolean }>(
    db,
    `select round(extract(epoch from due_at - now()) * 1000)::int as "dueInMs", tries, problem, gave_up_at is not null as "isGivenUp"
     from jobs where ref = $1`,
    [ref],
  )

/** Requests jobs of one organization, by their references, each of the key before its colon. */
async function makeRequests() {
  const { id: organizationId } = await makeOrganization(db)
  return {
    organizationId,
    request: async (...refs: string[]) => {
      for (const ref of refs) await requestJob(db, { organizationId, kind: 'host_event', ref, key: ref.split(':')[0]! })
    },
    requestKind: (kind: JobKind, ref: string, more: { delayMs?: number; postpones?: boolean } = {}) =>
      requestJob(db, { organizationId, kind, ref, ...more }),
  }
}

test('of each key the next job is claimed once the one before it is done, and other keys do not wait', async () => {
  const { request } = await makeRequests()
  await request('a:1', 'a:2', 'b:1', 'a:3')
  const claimed = await claim()
  assert.deepEqual(refsOf(claimed), ['a:1', 'b:1'])
  assert.deepEqual(await claim(), [])
  await finish(claimed.find(({ ref }) => ref === 'a:1'))
  assert.deepEqual(refsOf(await claim()), ['a:2'])
})

test('the same key of another organization, or of another kind, is another key', async () => {
  const [one, two] = [await makeRequests(), await makeRequests()]
  await one.request('a:1')
  await two.request('a:1')
  await two.requestKind('fixer', 'a:1')
  assert.equal((await claim({ host_event: 8, fixer: 8 })).length, 3)
})

test('what is requested again before it is claimed is one job, due at the earlier time; what postpones, at the later', async () => {
  const { requestKind } = await makeRequests()
  await requestKind('fixer', 'soon', { delayMs: 60_000 })
  await requestKind('fixer', 'soon')
  await requestKind('fixer', 'soon', { delayMs: 90_000 })
  await requestKind('review', 'later', { delayMs: 1_000, postpones: true })
  await requestKind('review', 'later', { delayMs: 60_000, postpones: true })
  assert.equal(await count(), 2)
  assert.deepEqual(refsOf(await claim({ fixer: 8, review: 8 })), ['soon'])
  assert.ok((await jobOf('later')).dueInMs! > 50_000)
})

test('what is requested while it is being done is done once more, and what is not is gone', async () => {
  const { requestKind } = await makeRequests()
  await requestKind('fixer', 'again')
  await requestKind('fixer', 'once')
  const claimed = await claim({ fixer: 8 })
  await requestKind('fixer', 'again')
  for (const job of claimed) await finish(job)
  assert.deepEqual(refsOf(await claim({ fixer: 8 })), ['again'])
  assert.equal(await count(), 1)
})

test('what is due again by itself is claimed then, and at once where it is requested meanwhile', async () => {
  const { requestKind } = await makeRequests()
  await requestKind('poll', 'p')
  const [job] = await claim({ poll: 1 })
  await finishJob(db, { job: job!, againInMs: 60_000 })
  assert.deepEqual(await claim({ poll: 1 }), [])
  assert.ok((await jobOf('p')).dueInMs! > 50_000)
  await requestKind('poll', 'p')
  assert.equal((await claim({ poll: 1 }))[0]?.tries, 1)
})

test('no more of a kind are claimed than there is room for, and none of a kind without room', async () => {
  const { requestKind } = await makeRequests()
  for (const ref of ['1', '2', '3']) {
    await requestKind('poll', ref)
    await requestKind('sync', ref)
  }
  const claimed = await claim({ poll: 2, sync: 0 })
  assert.deepEqual(
    claimed.map(({ kind }) => kind),
    ['poll', 'poll'],
  )
  assert.deepEqual(await claim({}), [])
})

test('an organization with ten thousand jobs does not keep another waiting', async () => {
  const [many, few] = [await makeRequests(), await makeRequests()]
  await db.query(
    `insert into jobs (organization_id, kind, ref, key, due_at)
     select $1, 'delivery', n::text, n::text, now() - interval '1 hour' from generate_series(1, 10000) as n`,
    [many.organizationId],
  )
  await few.requestKind('delivery', 'mine')
  assert.deepEqual(refsOf((await claim({ delivery: 2 })).filter(({ ref }) => ref === 'mine')), ['mine'])
})

test('jobs that are left to others are not claimed here', async () => {
  const { request } = await makeRequests()
  await request('a:1')
  const [job] = await claim()
  await returnJob(db, job!)
  assert.deepEqual(await claim(undefined, [job!.id]), [])
  assert.equal((await claim())[0]?.id, job!.id)
})

test('workers that look at the same moment take different jobs, and never two of one key', async () => {
  const { request } = await makeRequests()
  for (let n = 0; n < 60; n++) await request(`${n % 20}:${n}`)
  const seen: string[] = []
  const atWork = new Set<string>()
  const keyOf = ({ ref }: ClaimedJob) => ref.split(':')[0]!
  const work = async (): Promise<void> => {
    for (let jobs = await claim(); jobs.length; jobs = await claim()) {
      for (const job of jobs) {
        assert.ok(!atWork.has(keyOf(job)), `two at once of ${keyOf(job)}`)
        atWork.add(keyOf(job))
      }
      for (const job of jobs) {
        seen.push(job.ref)
        atWork.delete(keyOf(job))
        await finish(job)
      }
    }
  }
  // Who finds all keys at work stops, so the last look is after all others.
  await Promise.all([work(), work(), work(), work()])
  await work()
  assert.equal(new Set(seen).size, 60)
  for (let key = 0; key < 20; key++) {
    const order = seen.filter((ref) => ref.startsWith(`${key}:`))
    assert.deepEqual(order, [`${key}:${key}`, `${key}:${key + 20}`, `${key}:${key + 40}`])
  }
})

test('a job that came to light late waits for the one at work', async () => {
  const { request } = await makeRequests()
  await request('a:early')
  await claim()
  await db.query(`update jobs set id = default where ref = 'a:early'`)
  await request('a:late')
  await db.query(`update jobs set id = default where ref = 'a:early'`)
  assert.deepEqual(await claim(), [])
})

test('what a lost worker had claimed is claimed by the next, and a stale holder changes nothing', async () => {
  const { request } = await makeRequests()
  await request('a:1')
  const [stale] = await claim()
  await expire()
  const [held] = await claim()
  assert.equal(held?.tries, 2)
  const state = () => rows(db, 'select claim_id, due_at, tries, requests, problem, gave_up_at from jobs')
  const before = await state()
  await finish(stale)
  await finishJob(db, { job: stale!, againInMs: 1 })
  await returnJob(db, stale!)
  assert.equal(await release(stale), false)
  assert.deepEqual(await renewJobs(db, [stale!]), new Set())
  await assert.rejects(holdJob(db, stale!), { name: 'JobLost' })
  assert.deepEqual(await state(), before)
  assert.deepEqual(await renewJobs(db, [held]), new Set([held.claimId]))
  assert.equal(await holdJob(db, held), false)
  await finish(held)
  assert.equal(await count(), 0)
})

test('a claim is held for as long as it is renewed', async () => {
  const { request } = await makeRequests()
  await request('a:1')
  const [job] = await claim()
  await expire()
  assert.equal((await renewJobs(db, [job!])).size, 1)
  assert.deepEqual(await claim(), [])
})

test('a worker that ends leaves its jobs as if it had not tried them', async () => {
  const { request } = await makeRequests()
  await request('a:1')
  const [job] = await claim()
  await returnJob(db, job!)
  assert.equal((await claim())[0]?.tries, 1)
})

test('what fails is tried again later each time, keeps its own key waiting, and is given up in the end', async () => {
  const { request } = await makeRequests()
  await request('a:broken', 'a:after')
  const pauses: number[] = []
  for (let tries = 1; tries < policy.triesMax; tries++) {
    const [job] = await claim()
    assert.equal(job?.ref, 'a:broken')
    assert.equal(await release(job), false)
    assert.deepEqual(await claim(), [])
    pauses.push((await jobOf('a:broken')).dueInMs!)
    await dueNow()
  }
  for (const [n, pause] of pauses.entries()) {
    const longest = Math.min(policy.pauseMs * 2 ** n, policy.pauseMsMax)
    assert.ok(pause <= longest && pause > longest / 2 - 500, `${pauses.join()} at ${n}`)
  }
  assert.equal(await release((await claim())[0]), true)
  assert.partialDeepStrictEqual(await jobOf('a:broken'), { dueInMs: null, problem: 'no', isGivenUp: true })
  assert.deepEqual(refsOf(await claim()), ['a:after'])
})

test('what was given up begins anew where it is requested, and so does what was requested while it failed', async () => {
  const { request } = await makeRequests()
  await request('a:1')
  for (let tries = 1; tries <= policy.triesMax; tries++) {
    await release((await claim())[0])
    await dueNow()
  }
  assert.ok((await jobOf('a:1')).isGivenUp)
  await request('a:1')
  const [job] = await claim()
  assert.equal(job?.tries, 1)
  await request('a:1')
  assert.equal(await release(job), false)
  assert.equal((await claim())[0]?.tries, 1)
})

test('a host that says when it will hear us again is not asked before, and no longer than a day is waited', async () => {
  const { request } = await makeRequests()
  await request('a:1', 'b:1')
  const [first, second] = (await claim()).toSorted((one, other) => one.id - other.id)
  await release(first, 3_600_000)
  await release(second, 30 * 24 * 3_600_000)
  assert.ok((await jobOf('a:1')).dueInMs! > 50 * 60_000)
  assert.ok((await jobOf('b:1')).dueInMs! <= 24 * 3_600_000)
})

test('what is taken back is done no more, and whoever is at work at it finds out', async () => {
  const { organizationId, request } = await makeRequests()
  await request('a:1', 'a:2')
  const [job] = await claim()
  await removeJobs(db, { organizationId, kind: 'host_event', refs: ['a:1', 'a:2'] })
  await assert.rejects(holdJob(db, job!), { name: 'JobLost' })
  assert.deepEqual(await claim(), [])
})

test('what was given up is kept for weeks', async () => {
  const { request } = await makeRequests()
  await request('a:old', 'b:new')
  await db.query('update jobs set due_at = null, gave_up_at = now()')
  await db.query(`update jobs set gave_up_at = now() - interval '31 days' where ref = 'a:old'`)
  await sweepJobs(db)
  assert.deepEqual(await rows(db, 'select ref from jobs'), [{ ref: 'b:new' }])
})
