type Tick = (now: number) => void

const ticks = new Set<Tick>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls `tick` ten times a second, from one timer for the whole page; once a second where motion is not wanted. */
export function onTick(tick: Tick): () => void {
  ticks.add(tick)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  timer ??= setInterval(() => ticks.forEach((each) => each(Date.now())), isCalm ? 1_000 : 100)
  return () => {
    ticks.delete(tick)
    if (ticks.size) return
    clearInterval(timer)
    timer = undefined
  }
}
