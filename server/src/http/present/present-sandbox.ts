import type { RecordedSandbox } from '#domain/sandboxes/sandbox.ts'

export function presentSandbox(sandbox: RecordedSandbox) {
  return {
    id: sandbox.id,
    organization_id: sandbox.organizationId,
    agent_run_id: sandbox.runId,
    check_key: sandbox.checkId === null ? null : String(sandbox.checkId),
    provider: sandbox.provider,
    worker: sandbox.worker,
    status: sandbox.isRunning ? ('running' as const) : ('ended' as const),
    enforcement: sandbox.enforcement,
    started_at: sandbox.startedAt.toISOString(),
    ended_at: sandbox.endedAt?.toISOString() ?? null,
    end_reason: sandbox.endReason,
  }
}
