import { setTimeout as sleep } from 'node:timers/promises'
import { openApp, type App } from '#app/app.ts'
import type { Config } from '#base/config/config.ts'
import { limits } from '#base/limits.ts'
import { catchStrayFaults } from '#base/stray-faults.ts'
import { version } from '#base/version.ts'
import { renewHostKey } from '#domain/repos/deploy-keys/renew-host-key.ts'
import { renewDataKeys } from '#domain/repos/secrets/renew-data-keys.ts'
import { serveMetrics } from '#http/pipeline/serve-metrics.ts'
import { findPort } from './find-port.ts'
import { whyNoBlobs, whyNoSecrets } from './find-obstacles.ts'
import { requireKey } from './require-key.ts'
import { openPartLink, type PartLink } from './part-link.ts'
import { signalled } from './signalled.ts'

export type PartRole = 'api' | 'worker'
export type RunPart = {
  role: PartRole
  /** Whether a supervisor has started it, which says when it is ready and shows its metrics. */
  isSupervised: boolean
}

/** One process of the service, from its start until it is told to end. Rejects where it cannot start. */
export async function runPart(config: Config, { role, isSupervised }: RunPart): Promise<void> {
  const stack = new AsyncDisposableStack()
  // The API has the repositories themselves.
  const ofApi = async () => ({ ...config, gitUrl: null, port: config.port || (await findPort(config.host)) })
  const app = stack.use(await openApp(role === 'worker' ? config : await ofApi(), { role }))
  const { metrics } = app.telemetry
  catchStrayFaults((error) => {
    metrics.strayFaults.inc({ kind: 'process' })
    app.logger.error({ err: error, event: 'stray_fault' }, 'an error that belongs to no run was caught')
  })
  const link = isSupervised ? openPartLink({ readMetrics: () => metrics.readValues() }) : undefined
  const lostSecrets = await whyNoSecrets(app)
  if (lostSecrets) throw new Error(`The secrets cannot be read: ${lostSecrets}`)
  await requireKey(app)
  await renewDataKeys(app.pool, app.secretBox)
  await renewHostKey(app.pool, app.secretBox)
  void whyNoBlobs(app).then((reason) => reason && app.logger.warn({ reason }, 'the file store is not usable'))
  if (config.metrics) metrics.watchProcess()
  if (config.metrics && !link) {
    const served = stack.use(await serveMetrics(metrics, config.metrics))
    app.logger.info({ url: served.url }, 'metrics can be read')
  }
  const ending = new AbortController()
  const worker = await startRole(app, { role, link, stack, ending: ending.signal })
  // While PostgreSQL is away, a worker may have nothing that keeps Node running, and it is to go on once it is back.
  const staying = setInterval(() => {}, limits.idleLookMs)
  const line = readyLine(app, link ? 'all' : role)
  if (link) link.ready({ line })
  else process.stdout.write(`${line}\n`)
  // Before this, a signal ends the process at once: there is nothing to hand over yet.
  const signaled = signalled(() => process.exit(1))
  // Without its supervisor a part ends as quickly as it can.
  const signal = await Promise.race([signaled, ...(link ? [link.lost.then(() => 'SIGINT' as const)] : [])])
  setTimeout(() => process.exit(1), config.drainSeconds * 1_000 + limits.drainMs).unref()
  ending.abort()
  // Runs are handed over at once; who sends requests is given the time to hear that it should go elsewhere.
  const isAsked = role === 'api' && signal === 'SIGTERM'
  await Promise.all([worker?.[Symbol.asyncDispose](), isAsked && sleep(config.drainSeconds * 1_000)])
  await stack.disposeAsync()
  clearInterval(staying)
}

type StartRole = { role: PartRole; link: PartLink | undefined; stack: AsyncDisposableStack; ending: AbortSignal }

/** Loads what this role needs, and nothing of the other's. */
async function startRole(app: App, { role, link, stack, ending }: StartRole): Promise<AsyncDisposable | void> {
  if (role === 'api') {
    const { startApi } = await import('./start-api.ts')
    return startApi(app, { stack, ending })
  }
  const { startWorker } = await import('./start-worker.ts')
  await link?.begun
  return startWorker(app)
}

function readyLine(app: Pick<App, 'engines' | 'publicUrl' | 'config'>, role: PartRole | 'all'): string {
  const parts = { all: 'API, git host and worker', api: 'API and git host', worker: 'worker' }[role]
  const model = app.engines.get('builtin')?.availability().available
    ? 'runs use the built-in agent'
    : 'no model is configured, so runs use the repair engine'
  return `Runwright ${version} is ready: ${parts} at ${app.publicUrl}, data in ${app.config.dataDir}, ${model}.`
}
