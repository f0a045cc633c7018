import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

export type FinishThreads = { job: ClaimedJob; ids: readonly number[] }

/** They are answered. Throws `JobLost`. */
export async function finishThreads(db: Db, { job, ids }: FinishThreads): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('update thread_replies set answered_at = now() where organization_id = $1 and id = any($2)', [
      job.organizationId,
      ids,
    ])
    await holdJob(tx, job)
  })
}
