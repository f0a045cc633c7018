import { hostLimits } from '#base/hosts/host-limits.ts'
import { one, type Db } from '#db/pool.ts'
import { subjectText, type Mention } from '#domain/hosts/mention.ts'

/** What there is of requests at one issue or pull request: whether this one is known, and how many were accepted lately. */
export async function countMentions(
  db: Db,
  { organizationId, repoId, on, key }: Mention,
): Promise<{ isKnown: boolean; recent: number }> {
  return one(
    db,
    `select coalesce(bool_or(key = $4), false) as "isKnown",
       count(*) filter (where run_id is not null and created_at > now() - $5 * interval '1 millisecond') as recent
     from host_requests where organization_id = $1 and repo_id = $2 and subject = $3`,
    [organizationId, repoId, subjectText(on), key, hostLimits.mentionsMs],
  )
}
