import { useSyncExternalStore, type ReactElement } from 'react'
import { formatAgo, formatTime, formatZoned } from './format.ts'

const tickMs = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The time to half a minute, from one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void): () => void {
  if (!listeners.size) now = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A moment, with the whole date and the time zone in a tooltip. */
export function Time({
  at,
  form = 'time',
  className,
}: {
  at: string
  form?: 'ago' | 'time'
  className?: string
}): ReactElement {
  return (
    <time className={className} dateTime={at} title={formatZoned(at)}>
      {form === 'ago' ? <Ago at={at} /> : formatTime(at)}
    </time>
  )
}

function Ago({ at }: { at: string }): string {
  return formatAgo(at, Math.max(useNow(), Date.parse(at)))
}
