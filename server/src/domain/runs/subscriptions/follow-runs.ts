import type { Subscriptions, RunsReader } from './subscriptions.ts'
import type { Run } from '#domain/runs/run.ts'

export type FollowRuns = { reader: RunsReader; signal: AbortSignal }

/**
 * Tells which runs of an organization were made or changed their status, each as it is now, until the signal aborts, the
 * subscriptions close, or the reader is too far behind.
 */
export async function* followRuns(subscriptions: Subscriptions, { reader, signal }: FollowRuns): AsyncGenerator<Run[]> {
  const stop = AbortSignal.any([signal, subscriptions.closed])
  while (!stop.aborted && !reader.isTooSlow) {
    const { version } = reader.updates
    const runs = [...reader.waiting.values()]
    reader.waiting.clear()
    if (runs.length) yield runs
    else await reader.updates.changed(version, stop)
  }
}
