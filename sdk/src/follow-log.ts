import type { AgentRun, AgentRunLog, AgentRunWithLogsResponse, LiveTool, TextDelta } from './generated/api.ts'
import {
  isPassing,
  pageSize,
  patienceMsDefault,
  pause,
  pollLog,
  pollMsDefault,
  type PollLog,
  type ReadPage,
} from './poll-log.ts'
import { StreamSilent, type ServerEvent } from './read-events.ts'
import { RunwrightError } from './runwright-error.ts'

/** The tool at work, and the end of what it has printed so far. */
export type Progress = { agent_run_id: number; tool_name: string | null; output: string }

export type FollowLog = PollLog & {
  onProgress?: (progress: Progress) => void
  /** Told when a tool starts, and again when it has ended, after its entry. */
  onTool?: (tool: LiveTool) => void
  /** Told of thoughts and answers as they are written, piece by piece: see `applyDelta`. */
  onDelta?: (delta: TextDelta) => void
  /**
   * Told when the stream breaks off, with the error where there is one, and when it is back; it is taken up where it was, so
   * nothing is missed. Told again for each 429: the service is there and asks to wait.
   */
  onConnection?: (isThere: boolean, error?: unknown) => void
}

export type LogSource = {
  readPage: ReadPage
  /** The run's stream after this entry; null when it has ended there. */
  openStream: (after: number) => Promise<AsyncIterable<ServerEvent> | null>
}

const reconnectMs = 500

/**
 * Yields a run's log as it grows, each entry once and in order, and returns the run's last page when it has ended. A
 * stream that breaks off is taken up after the last entry; where there can be none, the log is asked for page by page.
 */
export async function* followLog(
  { readPage, openStream }: LogSource,
  { onProgress, onTool, onDelta, onConnection, ...options }: FollowLog,
): AsyncGenerator<AgentRunLog, AgentRunWithLogsResponse> {
  const { skip = 0, pollMs = pollMsDefault, patienceMs = patienceMsDefault, onStatus, signal } = options
  let read = skip
  let hasWorked = false
  let awaySince: number | undefined
  for (;;) {
    signal?.throwIfAborted()
    try {
      const events = await openStream(read)
      if (!events) return await readPage(read, pageSize)
      for await (const { event, data } of events) {
        if (!hasWorked || awaySince !== undefined) onConnection?.(true)
        hasWorked = true
        awaySince = undefined
        if (event === 'end') return await readPage(read, pageSize)
        if (event === 'status') onStatus?.(JSON.parse(data) as AgentRun)
        if (event === 'progress') onProgress?.(JSON.parse(data) as Progress)
        if (event === 'tool') onTool?.(JSON.parse(data) as LiveTool)
        if (event === 'delta') onDelta?.(JSON.parse(data) as TextDelta)
        if (event !== 'log') continue
        const entry = JSON.parse(data) as AgentRunLog
        read = entry.seq
        yield entry
      }
      onConnection?.(false)
      awaySince ??= Date.now()
      await pause(reconnectMs, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (!hasWorked && cannotStream(error)) return yield* pollLog(readPage, { ...options, skip: read })
      if (awaySince === undefined || isLimited(error)) onConnection?.(false, error)
      awaySince ??= Date.now()
      if (!(error instanceof StreamSilent || isPassing(error)) || Date.now() - awaySince > patienceMs) throw error
      const seconds = error instanceof RunwrightError ? error.retryAfterSeconds : null
      await pause(seconds === null ? Math.min(pollMs, reconnectMs) : seconds * 1_000, signal)
    }
  }
}

const isLimited = (error: unknown) => error instanceof RunwrightError && error.status === 429

/** An older service, one that takes no such cursor, or something in between that holds streams back. */
function cannotStream(error: unknown): boolean {
  if (error instanceof RunwrightError) return [400, 404, 405, 406].includes(error.status)
  return error instanceof StreamSilent
}
