import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Empty } from '#ui/empty.tsx'

export function NotFound(): ReactElement {
  return (
    <main className="content" id="main">
      <h1 className="sr-only">Nothing here</h1>
      <Empty
        icon="search"
        title="There is nothing at this address"
        action={
          <Link to="/" className="btn">
            All runs
          </Link>
        }
      >
        It may have been removed, or the link was cut off.
      </Empty>
    </main>
  )
}
