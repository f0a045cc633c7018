import { setupLimits } from '#base/setup-limits.ts'
import type { Db } from '#db/pool.ts'
import type { SnapshotIds } from './snapshot.ts'

/** Says that it is still being made. False once it is nobody's any more, or another's. */
export async function renewSnapshot(
  db: Db,
  { organizationId, repoId, n, maker }: SnapshotIds & { maker: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update snapshots set made_until = now() + make_interval(secs => $5::float8 / 1000)
     where organization_id = $1 and repo_id = $2 and n = $3 and maker = $4 and state = 'making'`,
    [organizationId, repoId, n, maker, setupLimits.claimMs],
  )
  return rowCount === 1
}
