import type { ReactElement } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useIsServerAway } from './server-state.ts'

/** Floats over the page, which stays as it is. */
export function ServerStrip(): ReactElement {
  const isAway = useIsServerAway()
  return (
    <div className="server-strip" role="status">
      {isAway && (
        <p className="waiting_for_user tone">
          <Icon name="offline" size={14} />
          Can’t reach the server. Reconnecting… Nothing you typed is lost.
        </p>
      )}
    </div>
  )
}
