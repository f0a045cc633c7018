import type { Db } from '#db/pool.ts'
import type { AwaitedReview } from './claim-awaited-review.ts'

export type ReturnAwaitedReview = {
  awaited: AwaitedReview
  /** When it is tried again; null: never. */
  pauseMs: number | null
}

/** One that could not be started, for whoever claims it next; where a newer commit is awaited by now, that is due as it was. */
export async function returnAwaitedReview(db: Db, { awaited, pauseMs }: ReturnAwaitedReview): Promise<void> {
  const { organizationId, repoId, subject, commit } = awaited
  await db.query(
    `update awaited_reviews set claimed_until = null,
       due_at = case when commit <> $4 then due_at else now() + $5 * interval '1 ms' end
     where organization_id = $1 and repo_id = $2 and subject = $3 and due_at is not null`,
    [organizationId, repoId, subject, commit, pauseMs],
  )
}
