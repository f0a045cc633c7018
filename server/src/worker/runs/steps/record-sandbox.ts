import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { finishSandbox } from '#domain/runs/sandboxes/finish-sandbox.ts'
import { startSandbox } from '#domain/runs/sandboxes/start-sandbox.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { keepSandboxLog } from '#worker/sandboxes/keep-sandbox-log.ts'

/**
 * Writes down that the sandbox runs and how its limits are held, and later, by itself, that it has ended and why. Answers
 * the same sandbox, of whose commands is written down how they ended.
 */
export async function recordSandbox(app: App, holder: Holder, sandbox: Sandbox): Promise<Sandbox> {
  const { organizationId } = holder
  const { enforcement } = sandbox
  const { sandboxId } = await startSandbox(app.pool, { holder, provider: app.sandboxes.name, enforcement })
  void sandbox.closed
    .then(({ reason }) => finishSandbox(app.pool, { organizationId, sandboxId, reason }))
    // What nobody wrote down has been lost, as whoever reads it sees by the lease.
    .catch((error: unknown) =>
      app.logger.debug({ err: error, runId: holder.runId }, 'could not record the end of a sandbox'),
    )
  const { mask } = app.redactors.of(holder)
  return keepSandboxLog({ ...app, mask }, { organizationId, sandboxId, sandbox })
}
