import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { artifactColumns, artifactTables, type Artifact } from './artifact.ts'

/** Throws `run_not_found`, `artifact_not_found`. */
export async function getArtifact(
  db: Db,
  { organizationId, runId, name }: { organizationId: number; runId: number; name: string },
): Promise<Artifact> {
  await getRun(db, { organizationId, runId })
  const artifact = await maybeOne<Artifact>(
    db,
    `select ${artifactColumns} from ${artifactTables} where a.organization_id = $1 and a.run_id = $2 and a.name = $3`,
    [organizationId, runId, name],
  )
  if (!artifact) throw new AppError('artifact_not_found', { message: `Run ${runId} has no file with this name.` })
  return artifact
}
