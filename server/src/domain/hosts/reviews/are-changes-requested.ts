import { one, type Db } from '#db/pool.ts'

export type AreChangesRequested = { organizationId: number; pullId: number; headCommit: string }

/**
 * Whether somebody's last word on a pull request of the built-in host is that it has to change; of agents, each of which reviews
 * one head, those count that have reviewed this one.
 */
export async function areChangesRequested(
  db: Db,
  { organizationId, pullId, headCommit }: AreChangesRequested,
): Promise<boolean> {
  const { areRequested } = await one<{ areRequested: boolean }>(
    db,
    `select coalesce(bool_or(verdict = 'request_changes'), false) as "areRequested"
     from (select distinct on (user_id, run_id) verdict from pull_reviews
       where organization_id = $1 and pull_id = $2 and verdict <> 'comment' and (run_id is null or head_commit = $3)
       order by user_id, run_id, id desc) as last`,
    [organizationId, pullId, headCommit],
  )
  return areRequested
}
