import { limits } from '#base/limits.ts'
import type { Db } from '#db/pool.ts'
import type { SandboxCommand } from './sandbox-command.ts'

export type AppendSandboxLog = { organizationId: number; sandboxId: number; commands: SandboxCommand[] }

/** Keeps commands that have ended; the oldest make room. Only who runs the sandbox does that. */
export async function appendSandboxLog(
  db: Db,
  { organizationId, sandboxId, commands }: AppendSandboxLog,
): Promise<void> {
  await db.query(
    `with told as (
       insert into sandbox_logs (organization_id, sandbox_id, n, command, started_at, duration_ms, exit_code, reason, output, cut_bytes)
       select $1, $2, c.* from json_to_recordset($3) as c (n int, command text, "startedAt" timestamptz, "durationMs" int, "exitCode" int,
         reason text, output text, "cutBytes" bigint)
       on conflict do nothing)
     delete from sandbox_logs where organization_id = $1 and sandbox_id = $2 and n <= $4`,
    [
      organizationId,
      sandboxId,
      JSON.stringify(commands),
      Math.max(...commands.map(({ n }) => n)) - limits.sandboxLogCommandsMax,
    ],
  )
}
