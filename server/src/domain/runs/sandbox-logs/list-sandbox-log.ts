import { one, rows, type Db } from '#db/pool.ts'
import { getSandbox } from '#domain/runs/sandboxes/get-sandbox.ts'
import type { SandboxCommand } from './sandbox-command.ts'

export type ListSandboxLog = { organizationId: number; sandboxId: number; skip: number; limit: number }

/** What ran in a sandbox, in the order in which it ended. Throws `sandbox_not_found`. */
export async function listSandboxLog(
  db: Db,
  { organizationId, sandboxId, skip, limit }: ListSandboxLog,
): Promise<{ items: SandboxCommand[]; total: number }> {
  await getSandbox(db, { organizationId, sandboxId })
  const of = 'from sandbox_logs where organization_id = $1 and sandbox_id = $2'
  const { total } = await one<{ total: number }>(db, `select count(*) as total ${of}`, [organizationId, sandboxId])
  const items = await rows<SandboxCommand>(
    db,
    `select n, command, started_at, duration_ms, exit_code, reason, output,
       cut_bytes ${of} order by n offset $3 limit $4`,
    [organizationId, sandboxId, skip, limit],
  )
  return { items, total }
}
