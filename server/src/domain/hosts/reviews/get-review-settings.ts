import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import type { ReviewTime } from '#domain/accounts/organizations/review-time.ts'

export type ReviewSettings = {
  reviewPulls: ReviewTime
  watchedBranches: string[]
  /** Whether agents may approve what others have written. */
  mayApprove: boolean
  /** Who the agent is at the repository's host; null where nobody knows yet. */
  agentActorId: string | null
}

/** What counts in a repository: its own settings, else its organization's. Throws `repo_not_found`. */
export async function getReviewSettings(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<ReviewSettings> {
  const found = await maybeOne<ReviewSettings>(
    db,
    `select coalesce(p.review_pulls, o.settings->>'review_pulls', 'off') as "reviewPulls", p.watched_branches,
       coalesce((o.settings->>'enable_review_approval')::boolean, false) as "mayApprove",
       case when p.host = 'local' then o.agent_id::text else i.bot_id end as "agentActorId"
     from repos p join organizations o on o.id = p.organization_id
       left join integrations i on i.organization_id = p.organization_id and i.id = p.integration_id
     where p.organization_id = $1 and p.id = $2`,
    [organizationId, repoId],
  )
  if (!found) throw new AppError('repo_not_found')
  return found
}
