import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'

/** For what should not happen: the page itself failed. */
export function PageFault({ error }: ErrorComponentProps): ReactElement {
  return (
    <main className="content" id="main">
      <h1 className="sr-only">Something went wrong on this page</h1>
      <Empty
        icon="error"
        title="Something went wrong on this page"
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {(error as Error).message} Your runs are not affected.
      </Empty>
    </main>
  )
}
