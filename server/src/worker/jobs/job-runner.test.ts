import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { App } from '#app/app.ts'
import { openLogger } from '#base/logger.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { Telemetry } from '#base/telemetry/telemetry.ts'
import { openTraces } from '#base/telemetry/traces.ts'
import { maybeOne } from '#db/pool.ts'
import { releaseLostJobs } from '#domain/hosts/jobs/release-lost-jobs.ts'
import type { JobKind } from '#domain/hosts/jobs/job.ts'
import { requestJob } from '#domain/hosts/jobs/request-job.ts'
import { makeOrganization } from '#test/make.ts'
import { registerTestWorker } from '#test/register-test-worker.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import type { JobHandler, JobType } from './job-handler.ts'
import { JobRunner } from './job-runner.ts'

const db = await testDb()
const secret = 'hunter22-and-more'
const none = 'none' as const
const enforcement = { memory: none, cpu: none, processes: none, disk: none, network: none, kill: none }
const logger = openLogger({ level: 'silent' })
const worker = {
  pool: db,
  config: { workerLabels: [] as string[] },
  sandboxes: { enforcement },
  mask: openRedactor([{ name: 'KEY', value: secret }]).mask,
  logger,
  telemetry: new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) }),
} as unknown as App
const never = new AbortController().signal
const { id: organizationId } = await makeOrganization(db)

beforeEach(async () => {
  await db.query('delete from jobs')
})

const typeOf = (handle: JobHandler, more: Partial<JobType> = {}): JobType => ({
  handle,
  atOnceMax: 2,
  tryMsMax: 60_000,
  retry: { triesMax: 3, pauseMs: 1, pauseMsMax: 1 },
  ...more,
})
const open = (types: Partial<Record<JobKind, JobType>>, workerId: number | null = null) =>
  new JobRunner(worker, { types, workerId })
/** One after the other: what is requested first is claimed first. */
async function request(kind: JobKind, ...refs: string[]): Promise<void> {
  for (const ref of refs) await requestJob(db, { organizationId, kind, ref })
}
const jobOf = (ref: string) =>
  maybeOne<{ tries: number; problem: string | null; isClaimed: boolean; isGivenUp: boolean }>(
    db,
    `select tries, problem, claim_id is not null as "isClaimed", gave_up_at is not null as "isGivenUp" from jobs where ref = $1`,
    [ref],
  )
/** As another worker does once the claim has run out. */
const takeAway = () => db.query('update jobs set claim_id = gen_random_uuid() where claim_id is not null')

test('a host that does not answer keeps no job of another kind waiting, nor others of its own beyond its room', async () => {
  const answered = Promise.withResolvers<void>()
  const posted: string[] = []
  await using jobs = open({
    fixer: typeOf(() => answered.promise),
    status_comment: typeOf(async (_app, { ref }) => void posted.push(ref)),
  })
  await request('fixer', 'slow', 'slower', 'waits')
  await request('status_comment', 'a', 'b')
  assert.equal(await jobs.begin(never), 4)
  await until(async () => posted.length === 2, 'comments are posted meanwhile')
  await request('status_comment', 'c')
  await until(async () => (await jobs.begin(never)) === 1, 'there is room for the next')
  await until(async () => posted.length === 3, 'it is posted too')
  assert.deepEqual(await jobOf('waits'), { tries: 0, problem: null, isClaimed: false, isGivenUp: false })
  answered.resolve()
})

test('what fails is tried again, and in the end given up with its reason, without secrets', async () => {
  const tries: number[] = []
  await using jobs = open({
    fixer: typeOf(async (_app, job) => {
      tries.push(job.tries)
      throw new Error(`the host said no to ${secret}`)
    }),
  })
  await request('fixer', 'x')
  await until(async () => {
    await jobs.begin(never)
    await jobs.ended()
    return (await jobOf('x'))?.isGivenUp ?? false
  }, 'it is given up')
  assert.deepEqual(tries, [1, 2, 3])
  const problem = (await jobOf('x'))?.problem ?? ''
  assert.match(problem, /^the host said no to /)
  assert.ok(!problem.includes(secret))
  assert.equal(await jobs.begin(never), 0)
})

test('a try that takes too long is over, and fails', async () => {
  await using jobs = open({ fixer: typeOf(() => new Promise(() => {}), { tryMsMax: 50 }) })
  await request('fixer', 'x')
  await jobs.begin(never)
  await jobs.ended()
  assert.match((await jobOf('x'))?.problem ?? '', /timeout/)
})

test('a worker that stops leaves its jobs to the next one at once, as if it had not tried them', async () => {
  const stop = new AbortController()
  await using jobs = open({ fixer: typeOf(() => new Promise(() => {})) })
  await request('fixer', 'x')
  await jobs.begin(stop.signal)
  stop.abort()
  await jobs.ended()
  assert.deepEqual(await jobOf('x'), { tries: 0, problem: null, isClaimed: false, isGivenUp: false })
})

test('a job whose claim was taken over is stopped, and what becomes of it here changes nothing', async () => {
  const seen = Promise.withResolvers<unknown>()
  await using jobs = open({
    fixer: typeOf(async (_app, _job, signal) => {
      await takeAway()
      signal.addEventListener('abort', () => seen.resolve(signal.reason))
      await seen.promise
    }),
  })
  await request('fixer', 'x')
  await jobs.begin(never)
  await jobs.ended()
  assert.equal(((await seen.promise) as Error).name, 'JobLost')
  assert.partialDeepStrictEqual(await jobOf('x'), { tries: 1, isClaimed: true })
})

test('jobs of a worker that died are claimed again at once, before their claims run out; those of one alive are not', async () => {
  const { workerId, [Symbol.asyncDispose]: end } = await registerTestWorker(db.url)
  const held = Promise.withResolvers<void>()
  await using jobs = open({ fixer: typeOf(() => held.promise) }, workerId)
  await request('fixer', 'x')
  await jobs.begin(never)
  assert.equal(await releaseLostJobs(db), 0)
  await end()
  assert.equal(await releaseLostJobs(db), 1)
  assert.deepEqual(await jobOf('x'), { tries: 1, problem: null, isClaimed: false, isGivenUp: false })
  held.resolve()
  await jobs.ended()
  assert.partialDeepStrictEqual(await jobOf('x'), { tries: 1 }, 'what the dead one says of it counts no more')
})
