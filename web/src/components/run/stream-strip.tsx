import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import { Icon } from '#ui/icon.tsx'

/** Says that the page is not live now; and, for a moment, that it is again and that nothing was missed. */
export function StreamStrip({ log }: { log: Log }): ReactElement | null {
  if (log.connection === 'away') {
    return (
      <div className="strip waiting_for_user" role="status">
        <Icon name="offline" size={14} />
        The connection is lost. What you see ends with entry {log.length}; it goes on by itself.
      </div>
    )
  }
  if (log.caughtUp === null) return null
  return (
    <div className="strip completed" role="status">
      <Icon name="check" size={14} />
      {log.caughtUp
        ? `${log.caughtUp} entries came meanwhile, none is missing.`
        : 'Live again. Nothing came meanwhile.'}
    </div>
  )
}
