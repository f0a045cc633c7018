import { useQuery } from '@tanstack/react-query'
import { Link, useMatch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { runsQuery } from '#base/api.ts'
import { Icon } from '#ui/icon.tsx'
import { useUnread } from '#components/inbox/use-unread.ts'
import { MoreSheet } from './more-sheet.tsx'
import { statusesOf } from '#components/runs/run-filter.ts'

/** On a phone, in place of the sidebar. The page of a run leaves it out for its composer. */
export function TabBar({
  organizationId,
  onSearch,
}: {
  organizationId: number
  onSearch: () => void
}): ReactElement | null {
  const isRun = useMatch({ from: '/shell/runs/$organizationId/$runId', shouldThrow: false })
  const { data } = useQuery(runsQuery(organizationId, { status: statusesOf.needs }, 20))
  const unread = useUnread(organizationId)
  const [isOpen, setOpen] = useState(false)
  if (isRun) return null
  return (
    <>
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
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="list" />
          More
          {unread > 0 && (
            <span className="count">
              {unread}
              <span className="sr-only"> unread in the inbox</span>
            </span>
          )}
        </button>
      </nav>
      {isOpen && <MoreSheet organizationId={organizationId} onSearch={onSearch} onClose={() => setOpen(false)} />}
    </>
  )
}
