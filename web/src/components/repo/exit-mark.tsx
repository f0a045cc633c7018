import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'

/** How a command ended; null: it was ended. */
export function ExitMark({ exit, reason }: { exit: number | null; reason?: string }): ReactElement {
  const isGood = exit === 0
  return (
    <span className={`tone small exit-mark ${isGood ? 'completed' : 'failed'}`}>
      <Icon name={isGood ? 'check' : 'error'} size={12} />
      {exit === null ? (reason ?? 'ended').replaceAll('_', ' ') : `exit ${exit}`}
    </span>
  )
}
