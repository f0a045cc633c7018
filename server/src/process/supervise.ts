import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { destination } from 'pino'
import type { Config } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { joinMetrics } from '#base/telemetry/metrics.ts'
import { catchStrayFaults } from '#base/stray-faults.ts'
import { startEmbedded } from '#db/embedded.ts'
import { serveMetrics } from '#http/pipeline/serve-metrics.ts'
import { findPort } from './find-port.ts'
import { Part, PartEnded } from './part.ts'
import { signalled } from './signalled.ts'
import { partLimits } from './limits.ts'

/**
 * The whole service: the API with its git host, and a worker, each in a process of its own, so that whatever a run does
 * to the one that works at it, the other goes on answering. A part that ends is started again. Resolves when the service
 * was told to end and all of it has; rejects where it cannot start.
 */
export async function supervise(config: Config): Promise<void> {
  const logger = openLogger({ level: config.logLevel, role: 'supervisor', destination: destination(2) })
  catchStrayFaults((error) => logger.error({ err: error, event: 'stray_fault' }, 'the supervisor caught an error'))
  await using stack = new AsyncDisposableStack()
  if (!config.databaseUrl) {
    // Before the parts, which adopt it, so that it is made once; it ends after them.
    mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
    const embedded = await startEmbedded(path.join(config.dataDir, 'postgres'), { logger })
    stack.defer(() => embedded.stop())
  }
  // The same at each restart, and known to both.
  const env = { PORT: String(config.port || (await findPort(config.host))) }
  const api = stack.use(new Part({ name: 'api', logger, env }))
  // It has the repositories themselves, beside the API.
  const worker = stack.use(new Part({ name: 'worker', logger, env: { ...env, RUNWRIGHT_GIT_URL: '' } }))
  const parts = [api, worker]
  const signaled = signalled(({ msSinceFirst }) => {
    // What is sent to a process group arrives twice: by itself, and from whoever in the group hands it on.
    if (msSinceFirst > partLimits.signalEchoMs) for (const part of parts) part.kill()
  })
  const apiReady = api.start().then((ready) => {
    worker.begin()
    return ready
  })
  const atWork = Promise.all([apiReady, worker.start()])
  try {
    const ready = await Promise.race([atWork, signaled.then(() => undefined)])
    if (ready) {
      if (config.metrics) {
        const read = async () => joinMetrics((await Promise.all(parts.map((part) => part.readMetrics()))).flat())
        const served = stack.use(await serveMetrics({ read }, config.metrics))
        logger.info({ url: served.url }, 'metrics can be read')
      }
      process.stdout.write(`${ready[0].line}\n`)
      const signal = await signaled
      await Promise.all(parts.map((part) => part.end(signal)))
    }
  } catch (error) {
    if (!(error instanceof PartEnded)) throw error
    // It has said itself why.
    process.exitCode = 1
  }
}
