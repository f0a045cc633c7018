import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useServerState } from '#base/server-state.ts'

/** Floats over the page, which stays as it is. */
export function ServerStrip(): ReactElement {
  const { isAway, busySeconds } = useServerState()
  return (
    <div className="server-strip" role="status">
      {isAway && (
        <p className="waiting_for_user tone">
          <Icon name="offline" size={14} />
          Can’t reach the server. Reconnecting… Nothing you typed is lost.
        </p>
      )}
      {!isAway && busySeconds !== null && (
        <p className="waiting_for_user tone">
          <Icon name="clock" size={14} />
          Too many requests in a short time. The page continues by itself after{' '}
          {busySeconds === 1 ? '1 second' : `${busySeconds} seconds`}. Nothing you typed is lost.
        </p>
      )}
    </div>
  )
}
