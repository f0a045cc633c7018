import { maybeOne, type Db } from '#db/pool.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'

export type AwaitedReview = {
  organizationId: number
  repoId: number
  subject: string
  commit: string
  base: string | null
  isAsked: boolean
}

/** What a job is to have reviewed; undefined where nobody waits for it any more. */
export async function getAwaitedReview(
  db: Db,
  { organizationId, ref }: Pick<ClaimedJob, 'organizationId' | 'ref'>,
): Promise<AwaitedReview | undefined> {
  const space = ref.indexOf(' ')
  return maybeOne<AwaitedReview>(
    db,
    `select organization_id, repo_id, subject, commit, base, is_asked
     from awaited_reviews where organization_id = $1 and repo_id = $2 and subject = $3 and due_at is not null`,
    [organizationId, ref.slice(0, space), ref.slice(space + 1)],
  )
}
