import type { Db } from '#db/pool.ts'
import type { SnapshotIds } from './snapshot.ts'

/** Leaves it to the next who asks. */
export async function releaseSnapshot(
  db: Db,
  { organizationId, repoId, n, maker }: SnapshotIds & { maker: string },
): Promise<void> {
  await db.query(
    `delete from snapshots where organization_id = $1 and repo_id = $2 and n = $3 and maker = $4 and state = 'making'`,
    [organizationId, repoId, n, maker],
  )
}
