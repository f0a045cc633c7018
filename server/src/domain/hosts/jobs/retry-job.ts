import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { wakeWorkers } from '#domain/accounts/organizations/wake-workers.ts'

/** Has a job that was given up tried anew, soon. One that is waiting or at work already stays as it is. Throws `job_not_found`. */
export async function retryJob(
  db: Db,
  { organizationId, jobId }: { organizationId: number; jobId: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update jobs set due_at = coalesce(due_at, now()), gave_up_at = null, tries = case when gave_up_at is null then tries else 0 end
       where organization_id = $1 and id = $2`,
      [organizationId, jobId],
    )
    if (!rowCount) throw new AppError('job_not_found')
    await wakeWorkers(tx, { jobs: true })
  })
}
