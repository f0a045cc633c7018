import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import { Icon } from '#ui/icon.tsx'

/** Says that the connection is lost, and for a moment that it is back and nothing was missed. */
export function StreamStrip({ log }: { log: Log }): ReactElement | null {
  if (log.connection === 'away') {
    return (
      <div className="strip waiting_for_user" role="status">
        <Icon name="offline" size={14} />
        Connection lost after entry {log.length}. Reconnecting…
      </div>
    )
  }
  if (log.connection === 'busy') {
    return (
      <div className="strip waiting_for_user" role="status">
        <Icon name="clock" size={14} />
        Too many requests in a short time. The log continues by itself in a moment.
      </div>
    )
  }
  if (log.caughtUp === null) return null
  return (
    <div className="strip completed" role="status">
      <Icon name="check" size={14} />
      {log.caughtUp
        ? `Back online: ${log.caughtUp} new ${log.caughtUp === 1 ? 'entry' : 'entries'}`
        : 'Back online: nothing new'}
    </div>
  )
}
