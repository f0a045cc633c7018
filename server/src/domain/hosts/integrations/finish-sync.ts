import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

/** `problem`: what people should know; null where all is well. */
export type FinishSync = { job: ClaimedJob; problem: string | null; isDone: boolean }

/** Keeps how the listing of an integration's repositories went. Throws `JobLost`. */
export async function finishSync(db: Db, { job, problem, isDone }: FinishSync): Promise<void> {
  await inTransaction(db, async (tx) => {
    const ids = [job.organizationId, job.ref]
    await tx.query('select from integrations where organization_id = $1 and id = $2 for update', ids)
    // Another listing was requested since, which may find the problem gone.
    if (await holdJob(tx, job)) return
    await tx.query(
      `update integrations set problem = $3, synced_at = case when $4 then now() else synced_at end
       where organization_id = $1 and id = $2`,
      [...ids, problem, isDone],
    )
  })
}
