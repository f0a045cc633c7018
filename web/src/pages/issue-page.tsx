import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isNotThere, isSignedOut, issueQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { IssueView } from '#components/issue/issue-view.tsx'
import { NotFound } from '#components/not-found.tsx'
import { StaleStrip } from '#components/shell/stale-strip.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** An issue of the built-in host: what it says, and what is said of it. */
export function IssuePage(): ReactElement {
  const place = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId/issues/$number' })
  const query = useQuery(issueQuery(place))
  const { data: issue, error, refetch } = query
  if (issue) return <IssueView key={issue.id} issue={issue} strip={<StaleStrip query={query} />} />
  if (isNotThere(error)) return <NotFound />
  return (
    <main className="page" id="main" aria-busy={!error}>
      <div className="bar" />
      <div className="content pull">
        <h1 className="sr-only">Issue {place.number}</h1>
        {error && !isSignedOut(error) ? (
          <Fault error={error} onAgain={() => void refetch()} />
        ) : (
          <Skeleton rows={8} height={38} />
        )}
      </div>
    </main>
  )
}
