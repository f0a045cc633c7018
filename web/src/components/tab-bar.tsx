import { useQuery } from '@tanstack/react-query'
import { Link, useMatch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { runsQuery } from '#api.ts'
import { Icon } from '#ui/icon.tsx'
import { signOut } from './sign-out.ts'

/** On a phone, in place of the sidebar. The page of a run leaves it out for its composer. */
export function TabBar({
  organizationId,
  onSearch,
}: {
  organizationId: number
  onSearch: () => void
}): ReactElement | null {
  const isRun = useMatch({ from: '/shell/runs/$organizationId/$runId', shouldThrow: false })
  const { data } = useQuery(runsQuery(organizationId, { status: ['waiting_for_user'] }, 20))
  if (isRun) return null
  return (
    <nav className="tabbar" aria-label="Main">
      <Link to="/runs/$organizationId" params={{ organizationId }} activeOptions={{ includeSearch: false }}>
        <Icon name="runs" />
        Runs
        {data?.total ? (
          <span className="count waiting_for_user tone" aria-label={`${data.total} need you`}>
            {data.total}
          </span>
        ) : null}
      </Link>
      <Link to="/organizations/$organizationId/repos" params={{ organizationId }}>
        <Icon name="repo" />
        Repos
      </Link>
      <button type="button" onClick={onSearch}>
        <Icon name="search" />
        Search
      </button>
      <button type="button" onClick={() => void signOut()}>
        <Icon name="back" />
        Sign out
      </button>
    </nav>
  )
}
