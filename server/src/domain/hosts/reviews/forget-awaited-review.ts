import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { removeJobs } from '#domain/hosts/jobs/remove-jobs.ts'

export type ReviewSubject = { organizationId: number; repoId: number; subject: string }

/** What the job of a review is about. */
export const reviewRef = ({ repoId, subject }: Omit<ReviewSubject, 'organizationId'>) => `${repoId} ${subject}`

/**
 * What has not begun yet is not wanted any more, such as of a pull request that was closed; with `commit`, unless another one
 * is awaited by now.
 */
export async function forgetAwaitedReview(
  db: Db,
  { organizationId, repoId, subject, commit }: ReviewSubject & { commit?: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update awaited_reviews set due_at = null
       where organization_id = $1 and repo_id = $2 and subject = $3 and due_at is not null and commit = coalesce($4, commit)`,
      [organizationId, repoId, subject, commit],
    )
    if (rowCount) await removeJobs(tx, { organizationId, kind: 'review', refs: [reviewRef({ repoId, subject })] })
  })
}
