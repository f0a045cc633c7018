import { maybeOne, type Db } from '#db/pool.ts'

/** The engine that runs of a repository get which name none; null: the service chooses, or there is no such repository. */
export async function findDefaultEngine(
  db: Db,
  { organizationId, repoId }: { organizationId: number; repoId: number },
): Promise<string | null> {
  const found = await maybeOne<{ name: string | null }>(
    db,
    'select default_engine as name from repos where organization_id = $1 and id = $2',
    [organizationId, repoId],
  )
  return found?.name ?? null
}
