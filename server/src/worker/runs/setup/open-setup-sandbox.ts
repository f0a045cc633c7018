import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { setupLimits } from '#base/setup-limits.ts'
import type { ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { sandboxNotMade } from '#worker/failures/run-failure.ts'
import { sandboxLimits } from '#worker/sandboxes/sandbox-limits.ts'
import { objectsMount } from '#worker/runs/work-tree/objects-in.ts'

export type OpenSetupSandbox = {
  id: string
  objectsPath: string
  /** Through whose proxy its programs reach the network; null: through none. */
  holder: ProxyHolder | null
}

/**
 * A sandbox in which nothing but setup is run, and no agent ever is: what is left in it later work trees start from. Of its
 * proxy it is told the way to the network alone, and no token: there is nothing of ours that it could reach.
 */
export async function openSetupSandbox(
  app: Pick<App, 'config' | 'logger' | 'openSandboxProxy' | 'sandboxes'>,
  { id, objectsPath, holder }: OpenSetupSandbox,
): Promise<Sandbox> {
  const proxy = (holder && app.openSandboxProxy?.(holder)) ?? null
  try {
    const sandbox = await app.sandboxes.create({
      id,
      limits: sandboxLimits(app, setupLimits.commandsMs + setupLimits.packMs),
      mounts: { [objectsMount]: objectsPath },
      ...(proxy && { network: { connect: (connection) => proxy.connect(connection) } }),
    })
    void sandbox.closed
      .then(() => proxy?.[Symbol.asyncDispose]())
      .catch((error: unknown) =>
        app.logger.warn({ err: error, sandbox: id }, 'a connection out of a sandbox did not close'),
      )
    return sandbox
  } catch (error) {
    await proxy?.[Symbol.asyncDispose]()
    throw sandboxNotMade(error)
  }
}
