import { RunwrightError } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Time } from '#ui/time.tsx'

type Props = {
  /** What the page was read by. */
  query: { error: Error | null; isPaused: boolean; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown }
}

/** Says that the page stands as it was read last, because it cannot be read anew. */
export function StaleStrip({
  query: { error, isPaused, isFetching, dataUpdatedAt, refetch },
}: Props): ReactElement | null {
  if (!error && !isPaused) return null
  const why = error instanceof RunwrightError ? error.message : 'Can’t reach the server.'
  return (
    <div className="strip waiting_for_user" role="status">
      <Icon name="offline" size={14} />
      <span>
        {why} Last updated <Time at={new Date(dataUpdatedAt).toISOString()} />; reconnecting…
      </span>
      {error && (
        <Button look="sm" isBusy={isFetching} onClick={() => refetch()}>
          Try again
        </Button>
      )}
    </div>
  )
}
