import { maybeOne, type Db } from '#db/pool.ts'
import type { ReviewSubject } from './forget-awaited-review.ts'

/** Whether a review of it is about to begin. */
export async function isReviewAwaited(db: Db, { organizationId, repoId, subject }: ReviewSubject): Promise<boolean> {
  const found = await maybeOne(
    db,
    `select from awaited_reviews where organization_id = $1 and repo_id = $2 and subject = $3 and due_at is not null`,
    [organizationId, repoId, subject],
  )
  return found !== undefined
}
