import type { MetricsValues } from '#base/telemetry/metrics.ts'

/** The line that says that it is at work. */
export type PartReady = { line: string }

/** What a part of the service reports to its supervisor. */
export type PartReport =
  | ({ kind: 'ready' } & PartReady)
  | { kind: 'alive' }
  | { kind: 'metrics'; ask: number; metrics: MetricsValues }

/** What a supervisor sends to a part. */
export type PartRequest = { kind: 'alive' } | { kind: 'metrics'; ask: number } | { kind: 'begin' }

export type PartLink = {
  ready(report: PartReady): void
  /** Resolves once the API is at work: before that, a worker takes no runs. */
  begun: Promise<void>
  /** Resolves when the supervisor is gone: without it, nobody would end this part. */
  lost: Promise<void>
}

/** The connection of a part to the supervisor that has started it. */
export function openPartLink({ readMetrics }: { readMetrics: () => Promise<MetricsValues> }): PartLink {
  const begun = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  const report = (text: PartReport) => {
    // A supervisor that has just gone is noticed below.
    if (process.connected) process.send?.(text, undefined, undefined, () => {})
  }
  process.on('message', (request: PartRequest) => {
    if (request.kind === 'alive') report({ kind: 'alive' })
    else if (request.kind === 'begin') begun.resolve()
    else void readMetrics().then((metrics) => report({ kind: 'metrics', ask: request.ask, metrics }))
  })
  const leave = () => {
    lost.resolve()
    begun.reject(new Error('Whoever has started this process is gone.'))
  }
  begun.promise.catch(() => {})
  process.on('disconnect', leave)
  if (!process.connected) leave()
  return { ready: (text) => report({ kind: 'ready', ...text }), begun: begun.promise, lost: lost.promise }
}
