import type { Subscriptions, WatchedRun } from './subscriptions.ts'
import type { LogBatch } from './read-batch.ts'
import type { Run } from '#domain/runs/run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { newText } from './live-run.ts'
import type { Progress } from '#domain/runs/logs/notifier.ts'
import type { LiveText, LiveTool } from '#domain/runs/logs/live.ts'

/** What a follower of a run is told. What it is made of is shared by all who follow it, and never changes. */
export type LogEvent =
  | { type: 'status'; run: Run }
  | { type: 'log'; batch: LogBatch }
  | { type: 'progress'; progress: Progress }
  | { type: 'tool'; tool: LiveTool }
  | { type: 'text'; text: LiveText }
  | { type: 'end'; run: Run }

export type StreamLog = { watched: WatchedRun; after: number; signal: AbortSignal }

/**
 * Tells of a watched run from the entry after `after` on, each entry once and in order, until its turn has ended and its
 * last entry is told; ends without `end` when the signal aborts or the subscriptions close. Reads on only as it is asked to, so
 * a slow reader costs no memory.
 */
export async function* streamLog(
  subscriptions: Subscriptions,
  { watched, after, signal }: StreamLog,
): AsyncGenerator<LogEvent> {
  const stop = AbortSignal.any([signal, subscriptions.closed])
  let seq = after
  let sent: Run | undefined
  let shown = watched.progress
  let output: string | undefined
  const live = new LiveTold()
  subscriptions.askProgress(watched)
  while (!stop.aborted) {
    const { version } = watched.updates
    const { run, lastSeq, progress } = watched
    // The end of a turn is told after its last entry, its beginnings before what they bring about.
    if (run !== sent && !(sent && hasEnded(run))) yield { type: 'status', run: (sent = run) }
    while (seq < lastSeq && !stop.aborted) {
      const batch = await subscriptions.readBatch({ ...watched, after: seq, lastSeq })
      seq = batch.lastSeq
      yield { type: 'log', batch }
    }
    yield* live.tell(watched, seq)
    if (progress && progress !== shown) {
      shown = progress
      if (!progress.isAgain || progress.output !== output) yield { type: 'progress', progress }
      output = progress.output
    }
    if (run !== sent) yield { type: 'status', run: (sent = run) }
    if (hasEnded(run)) return yield { type: 'end', run }
    await watched.updates.changed(version, stop)
  }
}

/** What one reader was told of what happens in a run at the moment. */
class LiveTold {
  #tool: LiveTool | undefined
  #version = 0
  #text: Pick<LiveText, 'step' | 'kind'> | undefined;

  /** What it is to be told now, once it has all entries before that. */
  *tell({ live: { tool, text } }: WatchedRun, seq: number): Generator<LogEvent> {
    if (text && text.version !== this.#version && seq >= text.whole.afterSeq) {
      const { step, kind, isDone } = text.whole
      const isKnown = this.#text?.step === step && this.#text.kind === kind
      const isOver = isDone && !isKnown && kind === 'thought'
      if (!isOver) yield { type: 'text', text: newText(text, isKnown ? this.#version : 0) }
      this.#version = text.version
      this.#text = { step, kind }
    }
    if (tool && tool !== this.#tool && seq >= tool.afterSeq) {
      // One that is over is told of to those who have heard of it: the others have its entry.
      if (tool.endedAt === null || this.#tool?.step === tool.step) yield { type: 'tool', tool }
      this.#tool = tool
    }
  }
}
