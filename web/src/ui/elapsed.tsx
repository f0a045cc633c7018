import { useEffect, useRef, type ReactElement } from 'react'
import { formatClock, formatDuration } from './format.ts'
import { onTick } from './ticker.ts'

/** How long something has lasted. While it lasts the text is written straight to its node, past React. */
export function Elapsed({
  from,
  to,
  form,
}: {
  from: number
  to: number | null
  form: 'clock' | 'words'
}): ReactElement {
  const node = useRef<HTMLSpanElement>(null)
  const format = form === 'clock' ? formatClock : formatDuration
  useEffect(() => {
    if (to !== null) return undefined
    return onTick((now) => {
      const text = format(Math.max(0, now - from))
      if (node.current && node.current.textContent !== text) node.current.textContent = text
    })
  }, [from, to, format])
  return (
    <span ref={node} className="num">
      {format(Math.max(0, (to ?? Date.now()) - from))}
    </span>
  )
}
