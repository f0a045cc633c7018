import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { subjectText } from '#domain/hosts/mention.ts'
import type { StatusComment } from './status-comment.ts'

/** It was posted. Who has asked again meanwhile still waits, and so does who asked a run that asks back. Throws `JobLost`. */
export async function finishStatusComment(
  db: Db,
  { job, posted }: { job: ClaimedJob; posted: StatusComment },
): Promise<void> {
  const { organizationId, runId, repoId, on } = posted
  await inTransaction(db, async (tx) => {
    const place = [organizationId, runId, repoId, subjectText(on)]
    const where = 'organization_id = $1 and run_id = $2 and repo_id = $3 and subject = $4'
    await tx.query(`select from run_replies where ${where} for update`, place)
    if (await holdJob(tx, job)) return
    await tx.query(`update run_replies set due_at = null, is_awaited = not $5 where ${where} and due_at is not null`, [
      ...place,
      hasEnded(posted),
    ])
  })
}
