import { maybeOne, type Db } from '#db/pool.ts'

export type CheckKey = { organizationId: number; repoId: number; key: string }

/** Under which digest the log of a check lies; null where it has none, and of a check that is not there. */
export async function findCheckLog(db: Db, { organizationId, repoId, key }: CheckKey): Promise<string | null> {
  const found = await maybeOne<{ sha256: string | null }>(
    db,
    'select log_sha256 as sha256 from checks where organization_id = $1 and repo_id = $2 and id::text = $3',
    [organizationId, repoId, key],
  )
  return found?.sha256 ?? null
}
