import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { Reported } from '#domain/hosts/fixer.ts'

/** Keeps what was said of the run on a commit, so that it is said once. Throws `JobLost`. */
export async function recordReported(
  db: Db,
  { job, reported }: { job: ClaimedJob; reported: Reported },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.query('update pull_agents set reported = $3 where organization_id = $1 and pull_id = $2', [
      job.organizationId,
      job.ref,
      JSON.stringify(reported),
    ])
    await holdJob(tx, job)
  })
}
