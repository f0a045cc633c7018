import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { App } from '#app/app.ts'
import { version } from '#base/version.ts'
import { openRunGateway } from '#git/open-run-gateway.ts'
import { openModelService } from '#proxy/model/serve-model.ts'
import { openProxy } from '#proxy/open-proxy.ts'
import { Worker } from '#worker/worker.ts'

/** A worker with what its sandboxes reach. Rejects where nothing keeps agents in a sandbox. */
export async function startWorker(app: App): Promise<Worker> {
  await requireSandbox(app)
  const name = `${os.hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  const openSandboxProxy = openProxy(app, {
    services: { '/git/': openRunGateway(app), '/model/': openModelService(app) },
  })
  const { workerSlots: slots, workerLabels: labels } = app.config
  const worker = new Worker({ ...app, openSandboxProxy }, { name, slots, labels, version })
  await worker.start()
  return worker
}

async function requireSandbox({ sandboxes, config }: Pick<App, 'sandboxes' | 'config'>): Promise<void> {
  const { isolated, problems } = await sandboxes.probe()
  if (isolated) return
  if (!config.unsafeSandbox) {
    throw new Error(
      `Agents cannot be kept in a sandbox on this machine:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nFix that, or set RUNWRIGHT_UNSAFE_SANDBOX=1 to run agents without any isolation (only where you trust every prompt and repository).`,
    )
  }
  process.stderr.write('RUNWRIGHT_UNSAFE_SANDBOX=1: agents run on this machine without isolation.\n')
}
