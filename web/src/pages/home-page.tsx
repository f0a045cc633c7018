import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isSignedOut, organizationsQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { Empty } from '#ui/empty.tsx'

/** Goes on to the runs of the organization; to be chosen where there are several. */
export function HomePage(): ReactElement | null {
  const { data: organizations, error, refetch } = useQuery(organizationsQuery())
  if (error && !isSignedOut(error)) {
    return (
      <main className="content" id="main">
        <Fault error={error} onAgain={() => void refetch()} />
      </main>
    )
  }
  if (!organizations) return null
  const [only, ...others] = organizations
  if (only && !others.length)
    return <Navigate to="/runs/$organizationId" params={{ organizationId: only.id }} replace />
  return (
    <main className="content" id="main">
      <h1>Organizations</h1>
      {only ? (
        <ul className="panel list">
          {organizations.map(({ id, name }) => (
            <li key={id}>
              <Link to="/runs/$organizationId" params={{ organizationId: id }} className="link">
                {name}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Empty icon="users" title="You are in no organization">
          Ask an admin of one to add you as a member.
        </Empty>
      )}
    </main>
  )
}
