import type { SandboxCommand } from '#domain/runs/sandbox-logs/sandbox-command.ts'
import type { RecordedSandbox } from '#domain/runs/sandboxes/sandbox.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentSandbox(sandbox: RecordedSandbox): Components['Sandbox'] {
  return {
    id: sandbox.id,
    organization_id: sandbox.organizationId,
    agent_run_id: sandbox.runId,
    check_key: sandbox.checkId === null ? null : String(sandbox.checkId),
    provider: sandbox.provider,
    worker: sandbox.worker,
    status: sandbox.isRunning ? 'running' : 'ended',
    enforcement: sandbox.enforcement,
    started_at: sandbox.startedAt.toISOString(),
    ended_at: sandbox.endedAt?.toISOString() ?? null,
    end_reason: sandbox.endReason,
  }
}

export function presentSandboxCommand(command: SandboxCommand): Components['SandboxCommand'] {
  return {
    n: command.n,
    command: command.command,
    started_at: command.startedAt.toISOString(),
    duration_ms: command.durationMs,
    exit_code: command.exitCode,
    reason: command.reason,
    output: command.output,
    cut_bytes: command.cutBytes,
  }
}
