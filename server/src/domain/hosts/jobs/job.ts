/** What waits for workers beside runs. The values are stored. */
export const jobKinds = [
  'sync',
  'delivery',
  'poll',
  'host_event',
  'check',
  'status_comment',
  'fixer',
  'review',
  'comparison',
] as const
export type JobKind = (typeof jobKinds)[number]

/** A job that one worker has to itself, for as long as it renews its claim. */
export type ClaimedJob = {
  organizationId: number
  id: number
  kind: JobKind
  /** What of that kind it is about, such as the id of a row. */
  ref: string
  claimId: string
  /** How often it was requested when it was claimed. */
  requests: number
  /** This one included; counted anew once it succeeds or is requested. */
  tries: number
}

/** The assignments of an update that gives up a claim. */
export const unclaimed = 'claim_id = null, worker_id = null, claimed_until = null'

/** Thrown when the claim of a job is over: somebody else does it, or will. What it was about to change stays as it is. */
export class JobLost extends Error {
  override readonly name = 'JobLost'
  constructor({ kind, ref }: Pick<ClaimedJob, 'kind' | 'ref'>) {
    super(`The job "${kind} ${ref}" is no longer held by this worker.`)
  }
}
