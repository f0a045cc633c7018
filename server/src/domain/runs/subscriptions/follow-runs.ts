import type { Feed, RunsReader } from './feed.ts'
import type { Run } from '#domain/runs/run.ts'

export type FollowRuns = { reader: RunsReader; signal: AbortSignal }

/**
 * Tells which runs of an organization were made or changed their status, each as it is now, until the signal aborts, the
 * feed closes, or the reader is too far behind.
 */
export async function* followRuns(feed: Feed, { reader, signal }: FollowRuns): AsyncGenerator<Run[]> {
  const stop = AbortSignal.any([signal, feed.closed])
  while (!stop.aborted && !reader.isTooSlow) {
    const { version } = reader.pulse
    const runs = [...reader.waiting.values()]
    reader.waiting.clear()
    if (runs.length) yield runs
    else await reader.pulse.changed(version, stop)
  }
}
