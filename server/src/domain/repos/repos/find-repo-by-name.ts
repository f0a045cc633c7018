import { maybeOne, type Db } from '#db/pool.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

/** The repository of this name, however it is capitalized; of another host with its owner. Null when there is none. */
export async function findRepoByName(
  db: Db,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<Repo | null> {
  const repo = await maybeOne<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and lower(name) = lower($2) and removed_at is null`,
    [organizationId, name],
  )
  return repo ?? null
}
