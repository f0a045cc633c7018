import { Link } from '@tanstack/react-router'
import { useEffect, type ReactElement } from 'react'
import { Empty } from '#ui/empty.tsx'

/** In place of every page of an organization that one is no member of, or that does not exist. */
export function NoAccess(): ReactElement {
  useEffect(() => {
    document.title = 'No access · Runwright'
  }, [])
  return (
    <main className="page" id="main">
      <div className="content">
        <h1 className="sr-only">No access</h1>
        <Empty
          icon="key"
          title="You don’t have access to this organization"
          action={
            <Link to="/" className="btn">
              Your organizations
            </Link>
          }
        >
          Ask one of its admins to invite you, or switch to another organization.
        </Empty>
      </div>
    </main>
  )
}
