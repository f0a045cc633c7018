export type SendAgain = {
  /** Sends the request once; rejects where no answer came. */
  attempt: () => Promise<Response>
  /** Whether the request may be sent again although it may have been carried out. */
  isRepeatable: boolean
  /** No attempt begins later than this after the first; 0 for one attempt. */
  retryForMs: number
  signal?: AbortSignal | undefined
}

const firstWaitMs = 200
const waitMsMax = 5_000

/**
 * Sends a request until it is answered: again where no answer came, where the service is not there for a moment (502,
 * 503, 504), where its limit is used up (429) and where the same request is still at work (409 with `Retry-After`). The
 * last answer is what it is, and where none came the last attempt's failure is thrown.
 */
export async function sendAgain({ attempt, isRepeatable, retryForMs, signal }: SendAgain): Promise<Response> {
  const giveUpAt = performance.now() + retryForMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, waitMsMax)) {
    const outcome = await attempt().then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    )
    const answered = 'response' in outcome ? outcome.response : undefined
    const toldMs = Number(answered?.headers.get('retry-after') ?? 0) * 1_000
    // At random, so that many who were refused at once do not come back at once.
    const nextMs = Math.max(toldMs, waitMs * (0.5 + Math.random()))
    const isLast = signal?.aborted || performance.now() + nextMs > giveUpAt
    if (isLast || !mayGoAgain(answered, isRepeatable)) {
      if (answered) return answered
      throw (outcome as { error: unknown }).error
    }
    await answered?.body?.cancel()
    await pause(nextMs, signal)
  }
}

function mayGoAgain(answered: Response | undefined, isRepeatable: boolean): boolean {
  if (!answered || answered.status === 502 || answered.status === 504) return isRepeatable
  if (answered.status === 409) return answered.headers.has('retry-after')
  return answered.status === 429 || answered.status === 503
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
