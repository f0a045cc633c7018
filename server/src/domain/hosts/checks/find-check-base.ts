import { maybeOne, type Db } from '#db/pool.ts'
import type { CheckPlace } from './check.ts'

/** Which branch a commit is to come into, by the pull request that has it as its head; null where none has. */
export async function findCheckBase(db: Db, { organizationId, repoId, commit }: CheckPlace): Promise<string | null> {
  const pull = await maybeOne<{ baseBranch: string }>(
    db,
    `select base_branch from pulls
     where organization_id = $1 and repo_id = $2 and head_commit = $3 and state = 'open' order by number limit 1`,
    [organizationId, repoId, commit],
  )
  return pull?.baseBranch ?? null
}
