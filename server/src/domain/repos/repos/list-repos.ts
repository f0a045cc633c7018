import { one, rows, type Db } from '#db/pool.ts'
import { repoColumns, type Repo } from '#domain/repos/repo.ts'

export type ListRepos = { organizationId: number; skip: number; limit: number }

/** A page of an organization's repositories, by name. */
export async function listRepos(
  db: Db,
  { organizationId, skip, limit }: ListRepos,
): Promise<{ items: Repo[]; total: number }> {
  const items = await rows<Repo>(
    db,
    `select ${repoColumns} from repos where organization_id = $1 and removed_at is null order by lower(name), id offset $2 limit $3`,
    [organizationId, skip, limit],
  )
  const { total } = await one<{ total: number }>(
    db,
    `select count(*) as total from repos where organization_id = $1 and removed_at is null`,
    [organizationId],
  )
  return { items, total }
}
