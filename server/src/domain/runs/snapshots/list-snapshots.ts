import { one, rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { snapshotColumns, type Snapshot } from './snapshot.ts'

export type ListSnapshots = { organizationId: number; repoId: number; skip: number; limit: number }

/** Those of all machines, the newest first. Throws `repo_not_found`. */
export async function listSnapshots(
  db: Db,
  { organizationId, repoId, skip, limit }: ListSnapshots,
): Promise<{ items: Snapshot[]; total: number }> {
  await getRepo(db, { organizationId, repoId })
  const of = 'from snapshots where organization_id = $1 and repo_id = $2'
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${of}`, [organizationId, repoId])
  const items = await rows<Snapshot>(db, `select ${snapshotColumns} ${of} order by n desc offset $3 limit $4`, [
    organizationId,
    repoId,
    skip,
    limit,
  ])
  return { items, total }
}
