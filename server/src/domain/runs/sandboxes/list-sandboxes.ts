import { one, rows, type Db } from '#db/pool.ts'
import { isShown, sandboxColumns, sandboxTables, type RecordedSandbox } from './sandbox.ts'

export type ListSandboxes = { organizationId: number; runId: number | undefined; skip: number; limit: number }

/** A page of an organization's sandboxes, or of those of one run, the newest first. */
export async function listSandboxes(
  db: Db,
  { organizationId, runId, skip, limit }: ListSandboxes,
): Promise<{ items: RecordedSandbox[]; total: number }> {
  const of = `s.organization_id = $1 and ($2::bigint is null or s.run_id = $2) and ${isShown}`
  const { total } = await one<{ total: number }>(db, `select count(*) as total from ${sandboxTables} where ${of}`, [
    organizationId,
    runId ?? null,
  ])
  const items = await rows<RecordedSandbox>(
    db,
    `select ${sandboxColumns} from ${sandboxTables} where ${of} order by s.id desc offset $3 limit $4`,
    [organizationId, runId ?? null, skip, limit],
  )
  return { items, total }
}
