import { maybeOne, type Db } from '#db/pool.ts'
import { repoColumns, type Repo } from './repo.ts'

/** The built-in host's repository of this name, however it is capitalized; null when there is none. */
export async function findRepoByName(
  db: Db,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<Repo | null> {
  const repo = await maybeOne<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and host = 'local' and lower(name) = lower($2)`,
    [organizationId, name],
  )
  return repo ?? null
}
