import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { App } from '#app/app.ts'
import { version } from '#base/version.ts'
import { openRunGateway } from '#git/open-run-gateway.ts'
import { openModelService } from '#proxy/model/serve-model.ts'
import { openProxy } from '#proxy/open-proxy.ts'
import { Crew } from '#worker/crew/crew.ts'
import { Worker } from '#worker/worker.ts'

/** A worker with what its sandboxes reach. Rejects where nothing keeps agents in a sandbox. */
export async function startWorker(app: App): Promise<AsyncDisposable> {
  const { workerSlots: slots, workerLabels: labels, remoteWorkers, workerToken } = app.config
  // Without slots it takes no runs itself, and those of remote workers run on their machines.
  if (slots > 0) await requireSandbox(app)
  const name = `${os.hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  const openSandboxProxy = openProxy(app, {
    services: { '/git/': openRunGateway(app), '/model/': openModelService(app) },
  })
  const own = { ...app, openSandboxProxy }
  const crew = new Crew(app)
  const worker = new Worker(own, { name, slots, labels, version, crew })
  const workers = new Set([worker])
  measureWorkers(app, workers)
  await worker.start()
  if (!remoteWorkers) return worker
  const { acceptWorkers } = await import('./remote/accept-workers.ts')
  const accepted = await acceptWorkers(own, { listen: remoteWorkers, token: workerToken, workers, crew })
  app.logger.info({ event: 'remote_workers_awaited', url: accepted.url }, 'remote workers can connect')
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all([worker[Symbol.asyncDispose](), accepted[Symbol.asyncDispose]()])
    },
  }
}

/** Of all workers of this process together. */
function measureWorkers({ telemetry: { metrics } }: Pick<App, 'telemetry'>, workers: ReadonlySet<Worker>): void {
  const sum = (count: (worker: Worker) => number) => [...workers].reduce((total, worker) => total + count(worker), 0)
  metrics.beforeRead(() => {
    metrics.workerRuns.set(sum(({ busy }) => busy))
    metrics.workerSlots.set(sum(({ slots }) => slots))
    metrics.leaseAge.set(Math.max(...[...workers].map(({ leaseAgeMs }) => leaseAgeMs)) / 1_000)
    metrics.remoteWorkers.set(workers.size - 1)
  })
}

/** Rejects with what has to be fixed where nothing keeps agents in a sandbox on this machine. */
export async function requireSandbox({ sandboxes, config }: Pick<App, 'sandboxes' | 'config'>): Promise<void> {
  const { isolated, problems } = await sandboxes.probe()
  if (isolated) return
  if (!config.unsafeSandbox) {
    throw new Error(
      `Agents cannot be kept in a sandbox on this machine:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nFix that, or set RUNWRIGHT_UNSAFE_SANDBOX=1 to run agents without any isolation (only where you trust every prompt and repository).`,
    )
  }
  process.stderr.write('RUNWRIGHT_UNSAFE_SANDBOX=1: agents run on this machine without isolation.\n')
}
