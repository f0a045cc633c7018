import { limits } from '#base/limits.ts'
import { maybeOne, type Db } from '#db/pool.ts'

export type AwaitedReview = {
  organizationId: number
  repoId: number
  subject: string
  commit: string
  base: string | null
  isAsked: boolean
  /** This one counted. */
  tries: number
}

/** The next that is due, for one worker alone, for as long as starting it may take. */
export async function claimAwaitedReview(db: Db): Promise<AwaitedReview | undefined> {
  return maybeOne<AwaitedReview>(
    db,
    `update awaited_reviews set claimed_until = now() + $1 * interval '1 ms', tries = tries + 1
     where (organization_id, repo_id, subject) = (
       select organization_id, repo_id, subject from awaited_reviews
       where due_at <= now() and (claimed_until is null or claimed_until < now())
       order by due_at limit 1 for update skip locked)
     returning organization_id as "organizationId", repo_id as "repoId", subject, commit, base, is_asked as "isAsked", tries`,
    [limits.reviewClaimMs],
  )
}
