import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** This near to the end is at the end. */
const nearPixels = 24

/** How long after a wheel, a touch or a key a scroll is somebody's. */
const handMs = 1_000

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
  const last = useRef(0)
  const toEnd = useCallback(() => {
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    last.current = box.scrollTop
  }, [scroller])
  const count = useRef(length)
  count.current = length
  const isFollowing = useRef(isOn)
  isFollowing.current = isOn
  const letGo = useCallback(() => {
    isFollowing.current = false
    setOn(false)
    setSeen((before) => before ?? count.current)
  }, [])
  const sizes = useRef<ResizeObserver>(null)
  // A question takes its place from the trace, which then shows less; what comes last grows when its parts are loaded.
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const observer = new ResizeObserver(toEnd)
    sizes.current = observer
    return () => observer.disconnect()
  }, [isOn, toEnd])
  // Not as a layout effect: when this is drawn first, the box around it is not known yet.
  useEffect(() => {
    const box = scroller.current
    if (!box || !isOn) return
    for (const part of [box, ...box.children]) sizes.current?.observe(part)
  })
  useLayoutEffect(() => {
    if (isOn) toEnd()
  })
  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    const hand = watchHand(box)
    const look = () => {
      const isUp = box.scrollTop < last.current - 2
      last.current = box.scrollTop
      const isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop < nearPixels
      // Entries that turn out other than estimated move the offset too; only a hand lets go.
      if (isUp && !isAtEnd && hand.isAtWork()) letGo()
      else if (isAtEnd && isLive) {
        setOn(true)
        setSeen(null)
      } else if (isFollowing.current) toEnd()
    }
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      box.removeEventListener('scroll', look)
      hand.stop()
    }
  }, [scroller, isLive, letGo, toEnd])
  const takeUp = useCallback(() => {
    setOn(true)
    setSeen(null)
    toEnd()
  }, [toEnd])
  useEffect(() => {
    if (sent) takeUp()
  }, [sent, takeUp])
  return { isOn: isOn && isLive, fresh: seen === null ? 0 : Math.max(0, length - seen), takeUp, letGo }
}

/** Tells whether somebody scrolls: by wheel, touch, key, or with a button held on the scroll bar. */
function watchHand(box: HTMLElement) {
  const control = new AbortController()
  let at = Number.NEGATIVE_INFINITY
  let isDown = false
  const touch = () => (at = performance.now())
  const options = { passive: true, signal: control.signal }
  for (const name of ['wheel', 'touchmove'] as const) box.addEventListener(name, touch, options)
  document.addEventListener('keydown', touch, options)
  box.addEventListener('pointerdown', () => (isDown = true), options)
  for (const name of ['pointerup', 'pointercancel'] as const) {
    document.addEventListener(
      name,
      () => {
        isDown = false
        touch()
      },
      options,
    )
  }
  return { isAtWork: () => isDown || performance.now() - at < handMs, stop: () => control.abort() }
}
