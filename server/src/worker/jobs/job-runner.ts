import { HostError } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { raceWithAbort } from '#base/concurrency/race-with-abort.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { limits } from '#base/limits.ts'
import { ownFaults } from '#base/stray-faults.ts'
import { claimJobs } from '#domain/hosts/jobs/claim-jobs.ts'
import { finishJob } from '#domain/hosts/jobs/finish-job.ts'
import { JobLost, type ClaimedJob, type JobKind } from '#domain/hosts/jobs/job.ts'
import { releaseJob } from '#domain/hosts/jobs/release-job.ts'
import { renewJobs } from '#domain/hosts/jobs/renew-jobs.ts'
import { returnJob } from '#domain/hosts/jobs/return-job.ts'
import type { JobEnd, JobType } from './job-handler.ts'

export type JobRunnerOptions = {
  types: Partial<Record<JobKind, JobType>>
  /** Null: no worker is registered, so only the time of a claim tells whether it is lost. */
  workerId: number | null
  /** Called when a job has ended, so that there is room for another. */
  onEnded?: () => void
}

type Held = { job: ClaimedJob; halt: AbortController; renewedAt: number; done: Promise<void> }

/** The first tries of a job that fail are nothing that anybody has to know of. */
const triesBeforeWarning = 3

/**
 * Claims jobs and does them, each beside the others, as many of each kind at once as its type says. It renews the claims that it
 * holds, and stops what it does under one that is lost.
 */
export class JobRunner implements AsyncDisposable {
  readonly #app: App
  readonly #options: JobRunnerOptions
  readonly #held = new Map<string, Held>()
  /** Jobs that other workers come first for, and until when. */
  readonly #avoided = new Map<number, number>()
  readonly #renewing: AsyncDisposable

  constructor(app: App, options: JobRunnerOptions) {
    this.#app = app
    this.#options = options
    this.#renewing = repeat(() => this.#renew(), hostLimits.jobRenewMs)
  }

  /** Begins the jobs that are due and for which there is room; `stop` ends them. Answers how many. */
  async begin(stop: AbortSignal): Promise<number> {
    const { pool, config, sandboxes, serves } = this.#app
    const now = performance.now()
    for (const [id, until] of this.#avoided) if (until < now) this.#avoided.delete(id)
    const jobs = await claimJobs(pool, {
      room: this.#room(),
      workerId: this.#options.workerId,
      organizationId: serves,
      except: [...this.#avoided.keys()],
      labels: config.workerLabels,
      enforcement: sandboxes.enforcement,
    })
    for (const job of jobs) this.#begin(job, stop)
    return jobs.length
  }

  /** Resolves when no job is at work any more. Never rejects. */
  async ended(): Promise<void> {
    while (this.#held.size) await Promise.all([...this.#held.values()].map(({ done }) => done))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ended()
    await this.#renewing[Symbol.asyncDispose]()
  }

  #room(): Partial<Record<JobKind, number>> {
    const kinds = Object.entries(this.#options.types) as [JobKind, JobType][]
    const atWork = [...this.#held.values()].map(({ job }) => job.kind)
    return Object.fromEntries(
      kinds
        .filter(([, { isReady }]) => isReady?.(this.#app) ?? true)
        .map(([kind, { atOnceMax }]) => [kind, atOnceMax - atWork.filter((other) => other === kind).length]),
    )
  }

  #begin(job: ClaimedJob, stop: AbortSignal): void {
    const halt = new AbortController()
    const failStray = (error: unknown) => {
      this.#app.telemetry.metrics.strayFaults.inc({ kind: 'job' })
      halt.abort(error)
    }
    const done = ownFaults(failStray, () => this.#do(job, { stop, halt: halt.signal })).finally(() => {
      this.#held.delete(job.claimId)
      this.#options.onEnded?.()
    })
    this.#held.set(job.claimId, { job, halt, renewedAt: performance.now(), done })
  }

  /** Never rejects. Where the database is away, the claim ends by itself, and the job is claimed again. */
  async #do(job: ClaimedJob, { stop, halt }: { stop: AbortSignal; halt: AbortSignal }): Promise<void> {
    const { pool, logger } = this.#app
    try {
      try {
        const end = await this.#handle(job, AbortSignal.any([stop, halt]))
        if (end?.isPassedOn) this.#avoided.set(job.id, performance.now() + limits.avoidedMs)
        await finishJob(pool, { job, againInMs: end?.againInMs ?? null })
        this.#count(job, 'done')
      } catch (error) {
        const why: unknown = halt.aborted ? halt.reason : error
        if (why instanceof JobLost) return this.#count(job, 'lost')
        if (!stop.aborted) return await this.#fail(job, why)
        await returnJob(pool, job)
        this.#count(job, 'returned')
      }
    } catch (error) {
      logger.warn({ event: 'job_not_settled', err: error, kind: job.kind, jobId: job.id }, 'could not settle a job')
    }
  }

  async #handle(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd | void> {
    const { handle, tryMsMax } = this.#options.types[job.kind]!
    if (tryMsMax === null) return handle(this.#app, job, signal)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(tryMsMax)])
    return raceWithAbort(handle(this.#app, job, limited), { signal: limited })
  }

  async #fail(job: ClaimedJob, error: unknown): Promise<void> {
    const { pool, mask, logger } = this.#app
    const { organizationId, id: jobId, kind, ref, tries } = job
    const message = mask(error instanceof Error ? error.message : String(error))
    const isGivenUp = await releaseJob(pool, {
      job,
      problem: message.slice(0, hostLimits.hostOutcomeCharactersMax),
      retryInMs: error instanceof HostError ? error.retryInMs : undefined,
      policy: this.#options.types[kind]!.retry,
    })
    this.#count(job, isGivenUp ? 'gave_up' : 'failed')
    const facts = { err: error, organizationId, jobId, kind, ref, tries }
    if (isGivenUp) logger.error({ event: 'job_gave_up', ...facts }, 'a job failed at every try; a manager can retry it')
    else if (tries < triesBeforeWarning)
      logger.info({ event: 'job_failed', ...facts }, 'a job failed; it is tried again')
    else logger.warn({ event: 'job_failed', ...facts }, 'a job failed; it is tried again')
  }

  #count({ kind }: ClaimedJob, outcome: 'done' | 'failed' | 'gave_up' | 'returned' | 'lost'): void {
    this.#app.telemetry.metrics.jobs.inc({ kind, outcome })
  }

  /** No answer is not yet the end of a claim; no answer for as long as it lasts is. */
  async #renew(): Promise<void> {
    const held = [...this.#held.values()]
    if (!held.length) return
    const begunAt = performance.now()
    const jobs = held.map(({ job }) => job)
    const renewed = await renewJobs(this.#app.pool, jobs).catch(() => undefined)
    for (const one of held) {
      if (renewed?.has(one.job.claimId)) one.renewedAt = begunAt
      else if (renewed || begunAt - one.renewedAt > hostLimits.jobClaimMs) one.halt.abort(new JobLost(one.job))
    }
  }
}
