import type { App } from '#app/app.ts'
import type { RetryPolicy } from '#domain/hosts/jobs/release-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** How a job ended that did not fail. */
export type JobEnd = {
  /** After how many milliseconds it is due again by itself; null: not before it is requested. */
  againInMs: number | null
  /** Another worker comes first. */
  isPassedOn?: boolean
}

/**
 * Does a job. It may be done twice, or be cut off anywhere by a crash; what it changes it changes in transactions that hold the
 * job (`holdJob`). Rejects where it has to be tried again. Resolving with nothing is as never being due again by itself.
 */
export type JobHandler = (app: App, job: ClaimedJob, signal: AbortSignal) => Promise<JobEnd | void>

export type JobType = {
  handle: JobHandler
  /** How many one worker does at once; other kinds do not wait for these. */
  atOnceMax: number
  /** How long one try may take, in milliseconds. Null: the handler ends by itself, and soon after its signal. */
  tryMsMax: number | null
  retry: RetryPolicy
  /** False while this worker can do none. */
  isReady?: (app: App) => boolean
}
