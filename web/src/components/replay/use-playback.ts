import { useEffect, useState } from 'react'

type Playback = { n: number; count: number; speed: number; goTo: (n: number) => void }

/** Goes on by itself, so many steps per second, up to the last one. */
export function usePlayback({ n, count, speed, goTo }: Playback) {
  const [isOn, setOn] = useState(false)
  const isPlaying = isOn && n < count
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setTimeout(() => goTo(n + 1), 1_000 / speed)
    return () => clearTimeout(timer)
  }, [isPlaying, n, speed, goTo])
  const play = () => {
    // At the end it begins anew.
    if (n === count) goTo(1)
    setOn(true)
  }
  return { isPlaying, play, stop: () => setOn(false) }
}
