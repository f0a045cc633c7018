import type { AgentRunLog, AgentRunWithLogsResponse } from './generated/api.ts'
import { RunwrightError } from './runwright-error.ts'

export type FollowLog = {
  /** How many entries to leave out, because they were read before. */
  skip?: number
  /** Between two looks at a run that has nothing new. */
  pollMs?: number
  /** For how long the service may be away before that is an error. */
  patienceMs?: number
  /** Told of each page that was read, which also says how the run stands. */
  onPage?: (page: AgentRunWithLogsResponse) => void
  signal?: AbortSignal
}

const pageSize = 100
/** Slow enough for the logs limit of a token, 60 requests a minute. */
const pollMsDefault = 1_500
const patienceMsDefault = 60_000
const ended = new Set(['completed', 'failed', 'cancelled'])

type ReadPage = (skip: number, limit: number) => Promise<AgentRunWithLogsResponse>

/**
 * Yields a run's log as it grows, each entry once and in order, and returns the run's last page when it has ended. A
 * service that is away for a moment, or says that it is asked too often, is asked again later.
 */
export async function* followLog(
  readPage: ReadPage,
  { skip = 0, pollMs = pollMsDefault, patienceMs = patienceMsDefault, onPage, signal }: FollowLog,
): AsyncGenerator<AgentRunLog, AgentRunWithLogsResponse> {
  let read = skip
  let awaySince: number | undefined
  for (;;) {
    signal?.throwIfAborted()
    try {
      const page = await readPage(read, pageSize)
      awaySince = undefined
      onPage?.(page)
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
function isPassing(error: unknown): boolean {
  if (error instanceof RunwrightError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof TypeError
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
