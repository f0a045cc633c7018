import { one, rows, type Db } from '#db/pool.ts'
import { checkColumns, type Check, type CheckPlace } from './check.ts'

/** All checks of a commit as they stand now, by name; what judges of a comparison find is none of them. */
export async function listChecks(
  db: Db,
  { organizationId, repoId, commit }: CheckPlace,
): Promise<{ commit: string; checks: Check[]; readAt: Date }> {
  const { readAt } = await one<{ readAt: Date }>(db, 'select now() as "readAt"')
  const checks = await rows<Check>(
    db,
    `select ${checkColumns} from checks
     where organization_id = $1 and repo_id = $2 and commit = $3 and comparison_id is null order by name, id`,
    [organizationId, repoId, commit],
  )
  return { commit, checks, readAt }
}
