import { RunwrightError } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'

/** An error where the action was, with the request id for whoever is asked for help. */
export function Fault({ error, onAgain }: { error: Error; onAgain?: () => void }): ReactElement {
  const isOurs = error instanceof RunwrightError
  return (
    <Notice
      action={
        onAgain && (
          <Button look="sm" onClick={onAgain}>
            Try again
          </Button>
        )
      }
    >
      <p>{isOurs ? error.message : 'Can’t reach the server. Nothing is lost; try again in a moment.'}</p>
      {isOurs && error.requestId && <p className="faint small">Request {error.requestId}</p>}
    </Notice>
  )
}
