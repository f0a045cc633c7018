import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { createRun, type CreateRun } from '#domain/runs/runs/create-run.ts'
import type { Run } from '#domain/runs/run.ts'
import { holdJob } from '#domain/hosts/jobs/hold-job.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { AwaitedReview } from './get-awaited-review.ts'

export type StartAwaitedReview = {
  job: ClaimedJob
  awaited: AwaitedReview
  /** What it is made of; the commit may be a newer one than the one that was awaited. */
  run: CreateRun
  commit: string
}

/**
 * Makes the run, once: undefined where another commit is awaited by now, or none. Throws `JobLost`, and what
 * `createRun` does.
 */
export async function startAwaitedReview(
  db: Db,
  { job, awaited, run, commit }: StartAwaitedReview,
): Promise<Run | undefined> {
  const { organizationId, repoId, subject } = awaited
  const place = [organizationId, repoId, subject]
  return inTransaction(db, async (tx) => {
    const begun = await tx.query(
      `update awaited_reviews set due_at = null, reviewed = $5
       where organization_id = $1 and repo_id = $2 and subject = $3 and commit = $4 and due_at is not null`,
      [...place, awaited.commit, commit],
    )
    await holdJob(tx, job)
    if (!begun.rowCount) return undefined
    const made = await createRun(tx, run)
    await tx.query(
      'update awaited_reviews set run_id = $4 where organization_id = $1 and repo_id = $2 and subject = $3',
      [...place, made.id],
    )
    return made
  })
}
