import { Link } from '@tanstack/react-router'
import { useEffect, type ReactElement } from 'react'
import { Empty } from '#ui/empty.tsx'

export function NotFound({ reason }: { reason?: string | undefined }): ReactElement {
  useEffect(() => {
    document.title = 'Page not found · Runwright'
  }, [])
  return (
    <main className="page" id="main">
      <div className="content">
        <h1 className="sr-only">Page not found</h1>
        <Empty
          icon="search"
          title="Page not found"
          action={
            <Link to="/" className="btn">
              Go to your runs
            </Link>
          }
        >
          {reason ?? 'It may have been removed, or the link may be incomplete.'}
        </Empty>
      </div>
    </main>
  )
}
