import { useCallback, useEffect, useRef, useState } from 'react'

/** Addresses change this long after the last step: browsers allow few changes in a row. */
const SETTLED_MS = 250

export type Step = { n: number; goTo: (n: number) => void }

/** The step that is shown, from 1. It is part of the address, as `step`. */
export function useStep(count: number, named: number | undefined, onSettled: (n: number) => void): Step {
  const within = useCallback((n: number) => Math.max(1, Math.min(count, Math.round(n))), [count])
  const [n, setN] = useState(() => within(named ?? 1))
  const written = useRef(named)
  const settle = useRef(onSettled)
  settle.current = onSettled
  useEffect(() => {
    if (n === (written.current ?? 1)) return undefined
    const timer = setTimeout(() => {
      written.current = n
      settle.current(n)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [n])
  // Somebody has followed a link to another step.
  useEffect(() => {
    if (named === written.current) return
    written.current = named
    setN(within(named ?? 1))
  }, [named, within])
  const goTo = useCallback((next: number) => setN(within(next)), [within])
  return { n, goTo }
}
