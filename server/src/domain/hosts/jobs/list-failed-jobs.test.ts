import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { unique } from '#test/make.ts'
import { makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { awaitReview } from '#domain/hosts/reviews/await-review.ts'
import { claimJobs } from './claim-jobs.ts'
import { listFailedJobs } from './list-failed-jobs.ts'
import { releaseJob } from './release-job.ts'
import { requestJob } from './request-job.ts'
import { retryJob } from './retry-job.ts'

const db = await testDb()
const none = 'none' as const
const enforcement = { memory: none, cpu: none, processes: none, disk: none, network: none, kill: none }
const policy = { triesMax: 1, pauseMs: 1, pauseMsMax: 1 }
const claim = () =>
  claimJobs(db, {
    room: { host_event: 9, review: 9, status_comment: 9, delivery: 9 },
    workerId: null,
    organizationId: null,
    labels: [],
    enforcement,
  })

async function makeFailed() {
  const { organizationId, id: runId } = await makeRun(db)
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', $2, $2, 'main') returning id`,
    [organizationId, unique('repo')],
  )
  const event = { type: 'issue', action: 'closed', number: 7, actor: null, at: '2026-11-23T00:00:00Z' } as const
  await recordHostEvent(db, { organizationId, repoId, event })
  await awaitReview(db, { organizationId, repoId, subject: 'branch:a b', commit: 'c'.repeat(40), settleMs: 0 })
  await requestJob(db, { organizationId, kind: 'status_comment', ref: `${runId} ${repoId} pull:3` })
  await requestJob(db, { organizationId, kind: 'delivery', ref: 999_999 })
  for (const job of await claim())
    await releaseJob(db, { job, problem: `no ${job.kind}`, retryInMs: undefined, policy })
  const list = (page = { skip: 0, limit: 10 }) => listFailedJobs(db, { organizationId, ...page })
  return { organizationId, runId, repoId, list }
}

test('jobs that were given up are listed with what they are about and why, those of one organization alone', async () => {
  const { runId, repoId, list } = await makeFailed()
  await makeFailed()
  const { items, total } = await list()
  assert.equal(total, 4)
  const facts = items.map(({ kind, subject, repoId: repo, runId: run, problem }) => [kind, subject, repo, run, problem])
  assert.deepEqual(
    facts.toSorted((one, other) => String(one[0]).localeCompare(String(other[0]))),
    [
      ['delivery', null, null, null, 'no delivery'],
      ['host_event', 'issue:7', repoId, null, 'no host_event'],
      ['review', 'branch:a b', repoId, null, 'no review'],
      ['status_comment', 'pull:3', repoId, runId, 'no status_comment'],
    ],
  )
  const { items: page } = await list({ skip: 3, limit: 10 })
  assert.deepEqual(page, items.slice(3))
})

test('one that is retried is claimed again and listed no more, until it fails at every try again', async () => {
  const { organizationId, list } = await makeFailed()
  const { id: jobId, kind } = (await list()).items[0]!
  await retryJob(db, { organizationId, jobId })
  assert.equal((await list()).total, 3)
  const [job, ...others] = await claim()
  assert.deepEqual([job?.id, job?.kind, job?.tries, others.length], [jobId, kind, 1, 0])
  await retryJob(db, { organizationId, jobId })
  assert.deepEqual(await claim(), [], 'one that is at work stays as it is')
  assert.ok(await releaseJob(db, { job: job!, problem: 'again', retryInMs: undefined, policy }))
  assert.equal((await list()).total, 4)
})

test('what is no job of the organization is not found', async () => {
  const [mine, theirs] = [await makeFailed(), await makeFailed()]
  const { id: jobId } = (await theirs.list()).items[0]!
  const refused = { code: 'job_not_found' }
  await assert.rejects(retryJob(db, { organizationId: mine.organizationId, jobId }), refused)
  await assert.rejects(retryJob(db, { organizationId: mine.organizationId, jobId: 999_999_999 }), refused)
})
