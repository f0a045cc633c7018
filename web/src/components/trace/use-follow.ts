import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** This near to the end is at the end. */
const nearPixels = 24

export type Follow = { isOn: boolean; fresh: number; takeUp: () => void; letGo: () => void }

type Options = {
  isLive: boolean
  length: number
  /** Whether the address names an entry to look at. */
  isTarget: boolean
  /** Grows with each message sent from this page: whoever sends one follows what comes of it. */
  sent: number
}

/**
 * Keeps the end in sight from the start of a run, queued ones included, until somebody scrolls up. Following resumes at the end. What is
 * followed when the run ends stays at the end, with everything that comes last.
 */
export function useFollow(
  scroller: RefObject<HTMLDivElement | null>,
  { isLive, length, isTarget, sent }: Options,
): Follow {
  const [isOn, setOn] = useState(isLive && !isTarget)
  // How long the log was when following stopped; null while nothing is being counted.
  const [seen, setSeen] = useState<number | null>(null)
  const last = useRef({ top: 0, height: 0 })
  const toEnd = () => {
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    last.current = { top: box.scrollTop, height: box.scrollHeight }
  }
  const count = useRef(length)
  count.current = length
  const letGo = useCallback(() => {
    setOn(false)
    setSeen((before) => before ?? count.current)
  }, [])
  useLayoutEffect(() => {
    if (isOn) toEnd()
  })
  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    const look = () => {
      // Entries that turn out shorter than estimated move the offset too; nobody has scrolled then.
      const isUp = box.scrollTop < last.current.top - 2 && box.scrollHeight >= last.current.height
      last.current = { top: box.scrollTop, height: box.scrollHeight }
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < nearPixels
      if (isUp && !isAtEnd) letGo()
      else if (isAtEnd && isLive) {
        setOn(true)
        setSeen(null)
      }
    }
    box.addEventListener('scroll', look, { passive: true })
    return () => box.removeEventListener('scroll', look)
  }, [scroller, isLive, letGo])
  // A question takes its place from the trace, which then shows less.
  useEffect(() => {
    const box = scroller.current
    if (!box || !isOn) return undefined
    const observer = new ResizeObserver(toEnd)
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller, isOn])
  const takeUp = useCallback(() => {
    setOn(true)
    setSeen(null)
    toEnd()
  }, [])
  useEffect(() => {
    if (sent) takeUp()
  }, [sent, takeUp])
  return { isOn: isOn && isLive, fresh: seen === null ? 0 : Math.max(0, length - seen), takeUp, letGo }
}
