import { maybeOne, type Db } from '#db/pool.ts'
import type { CheckPlace } from './check.ts'

/** Which branch a commit is to come into, by its pull request, or by the run that is about to open it; null: nobody knows. */
export async function findCheckBase(db: Db, { organizationId, repoId, commit }: CheckPlace): Promise<string | null> {
  const pull = await maybeOne<{ baseBranch: string }>(
    db,
    `(select base_branch from pulls
      where organization_id = $1 and repo_id = $2 and head_commit = $3 and state = 'open' order by number limit 1)
     union all
     (select r.base_branch from checks c join runs r on r.organization_id = c.organization_id and r.id = c.run_id
      where c.organization_id = $1 and c.repo_id = $2 and c.commit = $3 and r.base_branch is not null limit 1)
     limit 1`,
    [organizationId, repoId, commit],
  )
  return pull?.baseBranch ?? null
}
