import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app.ts'
import { finishSandbox } from '#domain/sandboxes/finish-sandbox.ts'
import { startSandbox } from '#domain/sandboxes/start-sandbox.ts'
import type { Holder } from '#domain/steps/step.ts'

/** Writes down that the sandbox runs and how its limits are held, and later, by itself, that it has ended and why. */
export async function recordSandbox(app: App, holder: Holder, sandbox: Sandbox): Promise<void> {
  const { organizationId } = holder
  const { enforcement } = sandbox
  const { sandboxId } = await startSandbox(app.pool, { holder, provider: app.sandboxes.name, enforcement })
  void sandbox.closed
    .then(({ reason }) => finishSandbox(app.pool, { organizationId, sandboxId, reason }))
    // What nobody wrote down has been lost, as whoever reads it sees by the lease.
    .catch((error: unknown) =>
      app.logger.debug({ err: error, runId: holder.runId }, 'the end of a sandbox was not kept'),
    )
}
