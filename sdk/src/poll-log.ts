import type { AgentRun, AgentRunLog, AgentRunWithLogsResponse } from './generated/api.ts'
import { RunwrightError } from './runwright-error.ts'

/** A run's status; why it has it, where that is known. */
export type RunStanding = Pick<AgentRun, 'id' | 'status'> & Partial<Pick<AgentRun, 'status_detail'>>

export type PollLog = {
  /** How many entries to leave out, because they were read before. */
  skip?: number
  /** Between two looks at a run that has nothing new. */
  pollMs?: number
  /** For how long the service may be away before that is an error. */
  patienceMs?: number
  /** Told how the run stands: first, and whenever that may have changed. */
  onStatus?: (run: RunStanding) => void
  signal?: AbortSignal
}

export const pageSize = 100
/** Slow enough for the logs limit of a token, 60 requests a minute. */
export const pollMsDefault = 1_500
export const patienceMsDefault = 60_000
const ended = new Set(['completed', 'failed', 'cancelled'])

export type ReadPage = (skip: number, limit: number) => Promise<AgentRunWithLogsResponse>

/**
 * Asks for a run's log page by page as it grows: for those who cannot follow its stream. Yields each entry once and in
 * order, and returns the run's last page when it has ended. A service that is away for a moment, or says that it is asked too often, is asked again later.
 */
export async function* pollLog(
  readPage: ReadPage,
  { skip = 0, pollMs = pollMsDefault, patienceMs = patienceMsDefault, onStatus, signal }: PollLog,
): AsyncGenerator<AgentRunLog, AgentRunWithLogsResponse> {
  let read = skip
  let awaySince: number | undefined
  for (;;) {
    signal?.throwIfAborted()
    try {
      const page = await readPage(read, pageSize)
      awaySince = undefined
      onStatus?.(page)
      read += page.logs.length
      yield* page.logs
      if (page.logs.length === pageSize) continue
      if (ended.has(page.status)) return page
      await pause(pollMs, signal)
    } catch (error) {
      awaySince ??= Date.now()
      if (!isPassing(error) || Date.now() - awaySince > patienceMs) throw error
      const seconds = error instanceof RunwrightError ? error.retryAfterSeconds : null
      await pause(seconds === null ? pollMs : seconds * 1_000, signal)
    }
  }
}

/** A network that failed, a service that is busy or restarting. `fetch` throws a TypeError for the first. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RunwrightError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof TypeError
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
