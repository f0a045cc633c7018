import type { Db } from '#db/pool.ts'

/** Follows a repository that has another name on its host by now; where that is taken here, it keeps its name until it is free. */
export async function renameRepo(
  db: Db,
  { organizationId, repoId, name }: { organizationId: number; repoId: number; name: string },
): Promise<void> {
  await db.query(
    `update repos set name = $3 where organization_id = $1 and id = $2 and not exists (
       select from repos other where other.organization_id = $1 and lower(other.name) = lower($3) and other.id <> $2)`,
    [organizationId, repoId, name],
  )
}
