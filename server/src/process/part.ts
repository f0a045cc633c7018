import { spawn, type ChildProcess } from 'node:child_process'
import type { Logger } from '#base/logger.ts'
import type { MetricsValues } from '#base/telemetry/metrics.ts'
import { pause } from '#base/concurrency/pause.ts'
import type { PartReady, PartReport, PartRequest } from './part-link.ts'
import { partLimits } from './limits.ts'

/** The program of this process. */
const main = process.argv[1]!

export type PartOptions = {
  name: 'api' | 'worker'
  logger: Logger
  /** On top of the supervisor's own environment. */
  env: Record<string, string | undefined>
}

/** One process of the service under its supervisor: started again whenever it ends, ended where it no longer answers. */
export class Part implements AsyncDisposable {
  readonly #options: PartOptions
  readonly #ready = Promise.withResolvers<PartReady>()
  readonly #ending = new AbortController()
  readonly #asked = new Map<number, (metrics: MetricsValues) => void>()
  #mayBegin = false
  #child: ChildProcess | undefined
  #life: Promise<void> | undefined
  #asks = 0
  #unanswered = 0

  constructor(options: PartOptions) {
    this.#options = options
  }

  /** Resolves when it is at work for the first time. Rejects when it has ended before; then it is not started again. */
  start(): Promise<PartReady> {
    this.#ready.promise.catch(() => {})
    this.#life = this.#liveForEver()
    return this.#ready.promise
  }

  /** Tells this process, and those that follow it, that the API is at work. */
  begin(): void {
    this.#mayBegin = true
    this.#send({ kind: 'begin' })
  }

  /** What it measures; nothing where it does not answer now. */
  async readMetrics(): Promise<MetricsValues[]> {
    const ask = ++this.#asks
    const answered = new Promise<MetricsValues[]>((resolve) => {
      this.#asked.set(ask, (metrics) => resolve([metrics]))
    })
    this.#send({ kind: 'metrics', ask })
    const stopRequest = new AbortController()
    const nothing = pause(partLimits.partMetricsMs, stopRequest.signal).then(() => [])
    const metrics = await Promise.race([answered, nothing])
    stopRequest.abort()
    this.#asked.delete(ask)
    return metrics
  }

  /** Asks it to end as it likes. Resolves when it has. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.#ending.abort()
    this.#child?.kill(signal)
    await this.#life
  }

  kill(): void {
    this.#ending.abort()
    this.#child?.kill('SIGKILL')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end('SIGTERM')
  }

  async #liveForEver(): Promise<void> {
    const { name, logger } = this.#options
    let restMs: number = partLimits.partRestartMsMin
    while (!this.#ending.signal.aborted) {
      const startedAt = performance.now()
      const how = await this.#live()
      if (this.#ending.signal.aborted) return
      // Only what has worked once is started again: what is set wrong stays wrong.
      this.#ready.reject(new PartEnded(name))
      if (!(await hasResolved(this.#ready.promise))) return
      const livedMs = performance.now() - startedAt
      restMs =
        livedMs > partLimits.partSettledMs
          ? partLimits.partRestartMsMin
          : Math.min(restMs * 2, partLimits.partRestartMsMax)
      logger.error(
        { event: 'part_ended', part: name, how, livedMs: Math.round(livedMs), restMs },
        'a process of the service ended and is started again',
      )
      await pause(restMs, this.#ending.signal)
    }
  }

  /** From its start to its end; answers how it has ended. */
  async #live(): Promise<string> {
    const { name, env } = this.#options
    const child = spawn(process.execPath, [...process.execArgv, main, name, 'supervised'], {
      // eslint-disable-next-line node/no-process-env -- handed on, not read
      env: { ...process.env, ...env },
      // Of a process group of its own: what a terminal sends to the group reaches the supervisor, and it hands it on once.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#unanswered = 0
    child.on('message', (report: PartReport) => this.#hear(report))
    // It may end before it has read what it was sent.
    child.on('error', () => {})
    if (this.#mayBegin) this.begin()
    const watching = setInterval(() => this.#watch(), partLimits.partAskMs)
    const how = await new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
      child.once('error', (error) => resolve(error.message))
    })
    clearInterval(watching)
    return how
  }

  #hear(report: PartReport): void {
    this.#unanswered = 0
    if (report.kind === 'ready') this.#ready.resolve(report)
    else if (report.kind === 'metrics') this.#asked.get(report.ask)?.(report.metrics)
  }

  #watch(): void {
    if (this.#unanswered++ < partLimits.partUnansweredMax) return this.#send({ kind: 'alive' })
    const { name, logger } = this.#options
    logger.error({ event: 'part_frozen', part: name }, 'a process of the service does not respond and is ended')
    this.#child?.kill('SIGKILL')
  }

  #send(request: PartRequest): void {
    if (this.#child?.connected) this.#child.send(request, () => {})
  }
}

/** It has said on stderr why. */
export class PartEnded extends Error {
  override readonly name = 'PartEnded'
  constructor(part: string) {
    super(`Runwright did not start: its ${part === 'api' ? 'API' : 'worker'} ended.`)
  }
}

const hasResolved = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false,
  )
