import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** `outcome`: what became of it, in words. */
type FinishHostEvent = { job: ClaimedJob; outcome: string | null }

/** Keeps that the event of a job was handled. Throws `JobLost`. */
export async function finishHostEvent(db: Db, { job, outcome }: FinishHostEvent): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdJob(tx, job)
    await tx.query('update host_events set done_at = now(), outcome = $3 where organization_id = $1 and id = $2', [
      job.organizationId,
      job.ref,
      outcome,
    ])
  })
}
