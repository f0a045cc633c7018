import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/start-check.ts'
import type { SandboxHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { finishSandbox } from '#domain/runs/sandboxes/finish-sandbox.ts'
import { keepSandboxLog } from '#worker/sandboxes/keep-sandbox-log.ts'
import { sandboxNotMade } from '#worker/failures/run-failure.ts'
import { sandboxLimits } from '#worker/sandboxes/sandbox-limits.ts'
import { checkSandboxId } from './check-sandbox-id.ts'

export type OpenCheckSandbox = { claimed: ClaimedCheck; holder: SandboxHolder; mounts: Record<string, string> }

/** Room for setup and checkout, besides the command's own time. */
const besidesMs = 45 * 60_000

/**
 * A sandbox for one attempt at a check. Its proxy leads to the network alone, as far as the repository may go: neither to
 * git nor to models. Its row says when it has ended, and why.
 */
export async function openCheckSandbox(app: App, { claimed, holder, mounts }: OpenCheckSandbox): Promise<Sandbox> {
  const { organizationId, sandboxId } = holder
  const proxy = app.openSandboxProxy?.(holder) ?? null
  const end = async (reason: string) => {
    try {
      await proxy?.[Symbol.asyncDispose]()
    } catch (error) {
      app.logger.warn({ err: error, sandboxId }, 'a connection out of a sandbox did not close')
    }
    await finishSandbox(app.pool, { organizationId, sandboxId, reason }).catch((error: unknown) =>
      app.logger.debug({ err: error, sandboxId }, 'could not record the end of a sandbox'),
    )
  }
  try {
    const sandbox = await app.sandboxes.create({
      id: checkSandboxId(claimed),
      limits: sandboxLimits(app, limits.checkMs + besidesMs),
      mounts,
      ...(proxy && { network: proxy }),
    })
    void sandbox.closed.then(({ reason }) => end(reason))
    const { mask } = app.redactors.of({ leaseId: claimed.claimId })
    return keepSandboxLog({ ...app, mask }, { organizationId, sandboxId, sandbox })
  } catch (error) {
    await end('it could not be started')
    throw sandboxNotMade(error)
  }
}
