import { useEffect, useEffectEvent } from 'react'

/** A tab that was left only for a moment goes on as if it had not been. */
const hiddenMs = 20_000

/**
 * Runs `work` while somebody may be looking. A hidden tab lets go of its connections, because a browser keeps only six to
 * one address, unless it is `isKeptHidden`; what it missed is read when it is looked at again. Without a network there is nothing to hold on to.
 */
export function useWhileVisible(work: (signal: AbortSignal) => Promise<void>, key: string, isKeptHidden = false): void {
  const start = useEffectEvent((signal: AbortSignal) => {
    work(signal).catch((error: unknown) => {
      if (!signal.aborted) reportError(error)
    })
  })
  useEffect(() => {
    let running: AbortController | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      running?.abort()
      running = undefined
    }
    const look = () => {
      clearTimeout(timer)
      if (document.hidden && !isKeptHidden) timer = setTimeout(stop, hiddenMs)
      else if (!navigator.onLine) stop()
      else if (!running) start((running = new AbortController()).signal)
    }
    document.addEventListener('visibilitychange', look)
    addEventListener('online', look)
    addEventListener('offline', look)
    look()
    return () => {
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', look)
      removeEventListener('offline', look)
      clearTimeout(timer)
      stop()
    }
  }, [key, isKeptHidden])
}
