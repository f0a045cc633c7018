import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'

/** For what should not happen: the page itself failed. */
export function PageFault({ error }: ErrorComponentProps): ReactElement {
  return (
    <main className="content" id="main">
      <h1 className="sr-only">This page failed</h1>
      <Empty
        icon="error"
        title="This page failed"
        action={<Button onClick={() => location.reload()}>Load it again</Button>}
      >
        {(error as Error).message} Nothing that runs is affected.
      </Empty>
    </main>
  )
}
