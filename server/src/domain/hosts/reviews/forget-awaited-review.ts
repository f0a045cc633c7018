import type { Db } from '#db/pool.ts'

export type ReviewSubject = { organizationId: number; repoId: number; subject: string }

/** What has not begun yet is not wanted any more, such as of a pull request that was closed. */
export async function forgetAwaitedReview(db: Db, { organizationId, repoId, subject }: ReviewSubject): Promise<void> {
  await db.query(
    'update awaited_reviews set due_at = null where organization_id = $1 and repo_id = $2 and subject = $3 and due_at is not null',
    [organizationId, repoId, subject],
  )
}
