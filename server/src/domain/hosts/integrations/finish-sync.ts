import type { ConnectionCheck } from '#base/hosts/connection-check.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import { checksByName, type Integration } from './integration.ts'

export type FinishSync = {
  job: ClaimedJob
  /** What people should know; null where all is well. */
  problem: string | null
  /** Whether its repositories were listed. */
  isDone: boolean
  /** Undefined where the host did not say. */
  halted?: Integration['halted'] | undefined
  /** What was looked at; the rest stays as it was found before. */
  checks: readonly ConnectionCheck[]
}

/** Keeps how the listing of an integration's repositories went. Throws `JobLost`. */
export async function finishSync(db: Db, { job, problem, isDone, halted, checks }: FinishSync): Promise<void> {
  await inTransaction(db, async (tx) => {
    const ids = [job.organizationId, job.ref]
    await tx.query('select from integrations where organization_id = $1 and id = $2 for update', ids)
    // Another listing was requested since, which may find the problem gone.
    if (await holdJob(tx, job)) return
    await tx.query(
      `update integrations set problem = $3, synced_at = case when $4 then now() else synced_at end,
         halted = case when $5 then $6 else halted end, checks = checks || $7
       where organization_id = $1 and id = $2`,
      [...ids, problem, isDone, halted !== undefined, halted, checksByName(checks)],
    )
  })
}
