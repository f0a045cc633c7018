import { one, rows, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { artifactColumns, artifactTables, type Artifact } from './artifact.ts'

export type ListArtifacts = { organizationId: number; runId: number; skip: number; limit: number }

/** By name. Throws `run_not_found`. */
export async function listArtifacts(
  db: Db,
  { organizationId, runId, skip, limit }: ListArtifacts,
): Promise<{ items: Artifact[]; total: number }> {
  await getRun(db, { organizationId, runId })
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from artifacts where organization_id = $1 and run_id = $2',
    [organizationId, runId],
  )
  const items = await rows<Artifact>(
    db,
    `select ${artifactColumns} from ${artifactTables} where a.organization_id = $1 and a.run_id = $2
     order by a.name collate "C" limit $3 offset $4`,
    [organizationId, runId, limit, skip],
  )
  return { items, total }
}
