/** A signal that is aborted with the other one, and when it is disposed, which leaves no listener behind. */
export function abortableBy(other: AbortSignal): Disposable & { signal: AbortSignal } {
  const own = new AbortController()
  const abort = () => own.abort(other.reason)
  if (other.aborted) abort()
  else other.addEventListener('abort', abort)
  return {
    signal: own.signal,
    [Symbol.dispose]: () => {
      other.removeEventListener('abort', abort)
      own.abort()
    },
  }
}
