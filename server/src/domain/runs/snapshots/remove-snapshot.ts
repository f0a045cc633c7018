import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { SnapshotIds } from './snapshot.ts'

/** From then on no work tree starts from it; its files go soon after. Throws `repo_not_found`, `snapshot_not_found`. */
export async function removeSnapshot(db: Db, { organizationId, repoId, n }: SnapshotIds): Promise<void> {
  await getRepo(db, { organizationId, repoId })
  const { rowCount } = await db.query('delete from snapshots where organization_id = $1 and repo_id = $2 and n = $3', [
    organizationId,
    repoId,
    n,
  ])
  if (!rowCount) throw new AppError('snapshot_not_found')
}
