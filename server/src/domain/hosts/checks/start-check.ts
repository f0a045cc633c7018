import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { dropLogPieces } from './drop-log-pieces.ts'
import { recordChecksChanged } from './record-checks-changed.ts'

/** A check that this worker runs, for as long as it holds the job. */
export type ClaimedCheck = {
  organizationId: number
  checkId: number
  repoId: number
  commit: string
  name: string
  command: string
  /** How long it may take; null: as long as any check. */
  timeLimitMs: number | null
  /** Whose judge it is; null: it is a check of the commit. */
  comparisonId: number | null
  /** Where the contestants of that began. */
  baseCommit: string | null
  /** The job's: whoever runs the check changes it under this claim alone. */
  claimId: string
  /** Each claim's number; its sandbox has it in its id. */
  attempt: number
  /** Attempts before it that were lost with their workers. */
  losses: number
  /** The attempt before it was not finished, and had printed something. */
  isAnew: boolean
}

/**
 * Begins the check of a job. What an earlier worker left of it counts as ended. Undefined where there is nothing to run any
 * more. Throws `JobLost`.
 */
export async function startCheck(db: Db, job: ClaimedJob): Promise<ClaimedCheck | undefined> {
  const { organizationId, ref, claimId } = job
  return inTransaction(db, async (tx) => {
    const started = await maybeOne<ClaimedCheck>(tx, start, [organizationId, ref, claimId])
    await holdJob(tx, job)
    if (!started) return undefined
    const { checkId } = started
    if (started.isAnew) await dropLogPieces(tx, { organizationId, checkIds: [checkId] })
    await tx.query(
      `update sandboxes set ended_at = now(), end_reason = 'lost'
       where organization_id = $1 and check_id = $2 and ended_at is null`,
      [organizationId, checkId],
    )
    await recordChecksChanged(tx, started)
    return started
  })
}

const start = `
  with before as (
    select organization_id, id, status = 'in_progress' as is_lost, log_pieces > 0 as is_anew from checks
    where organization_id = $1 and id = $2 and command is not null and status <> 'completed' for update)
  update checks c set status = 'in_progress', conclusion = null, started_at = now(), attempt = attempt + 1,
    losses = losses + b.is_lost::int, log_pieces = 0, claim_id = $3
  from before b where c.organization_id = b.organization_id and c.id = b.id
  returning c.organization_id, c.id as "checkId", c.repo_id, c.commit, c.name, c.command,
    c.time_limit_ms, c.comparison_id, c.claim_id, c.attempt, c.losses, b.is_anew,
    (select k.base_commit from comparisons k where k.organization_id = c.organization_id and k.id = c.comparison_id) as base_commit`
