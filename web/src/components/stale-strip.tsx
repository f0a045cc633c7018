import { RunwrightError } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { formatTime } from '#ui/format.ts'

type Props = {
  /** What the page was read by. */
  query: { error: Error | null; isPaused: boolean; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown }
}

/** Says that the page stands as it was read last, because it cannot be read anew. */
export function StaleStrip({
  query: { error, isPaused, isFetching, dataUpdatedAt, refetch },
}: Props): ReactElement | null {
  if (!error && !isPaused) return null
  const why = error instanceof RunwrightError ? error.message : 'The service cannot be reached.'
  return (
    <div className="strip waiting_for_user" role="status">
      <Icon name="offline" size={14} />
      <span>
        {why} This is how it stood on {formatTime(new Date(dataUpdatedAt).toISOString())}; it goes on by itself.
      </span>
      {error && (
        <Button look="sm" isBusy={isFetching} onClick={() => refetch()}>
          Try again
        </Button>
      )}
    </div>
  )
}
