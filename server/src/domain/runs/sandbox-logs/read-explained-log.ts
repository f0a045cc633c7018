import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { SandboxCommand } from './sandbox-command.ts'

/** What is kept of the sandbox that a run is to explain, in the order in which it ended. */
export async function readExplainedLog(db: Db, { organizationId, runId }: RunIds): Promise<SandboxCommand[]> {
  return rows<SandboxCommand>(
    db,
    `select l.n, l.command, l.started_at, l.duration_ms, l.exit_code, l.reason, l.output,
       l.cut_bytes
     from runs r join sandbox_logs l on l.organization_id = r.organization_id and l.sandbox_id = (r.task->>'sandboxId')::bigint
     where r.organization_id = $1 and r.id = $2 and r.task->>'kind' = 'analyze_logs' order by l.n`,
    [organizationId, runId],
  )
}
