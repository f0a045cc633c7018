import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** This near to the end is at the end. */
const nearPixels = 24

export type Follow = { isOn: boolean; fresh: number; takeUp: () => void; letGo: () => void }

type Wanted = { isLive: boolean; length: number; isTarget: boolean }

/** Keeps the end in sight while the run is live, until somebody scrolls up; taken up again at the end. */
export function useFollow(scroller: RefObject<HTMLDivElement | null>, { isLive, length, isTarget }: Wanted): Follow {
  const [isOn, setOn] = useState(isLive && !isTarget)
  // How long the log was when the end was let go; null when nobody has counted from anywhere.
  const [seen, setSeen] = useState<number | null>(null)
  const last = useRef(0)
  const toEnd = () => {
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    last.current = box.scrollTop
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
      const isUp = box.scrollTop < last.current - 2
      last.current = box.scrollTop
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
  return {
    isOn: isOn && isLive,
    fresh: seen === null ? 0 : Math.max(0, length - seen),
    takeUp: () => {
      setOn(true)
      setSeen(null)
      toEnd()
    },
    letGo,
  }
}
