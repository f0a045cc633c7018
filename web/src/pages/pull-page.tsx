import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isNotThere, isSignedOut, pullQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'
import { PullView } from '#components/pull/pull-view.tsx'
import { StaleStrip } from '#components/shell/stale-strip.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** A pull request, of whichever host: what it changes, what is said of it, and its merge. */
export function PullPage(): ReactElement {
  const ids = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId/pulls/$number' })
  const query = useQuery(pullQuery(ids))
  const { data: pull, error, refetch } = query
  if (pull) return <PullView key={pull.id} pull={pull} strip={<StaleStrip query={query} />} />
  if (pull === null || isNotThere(error)) return <NotFound />
  return (
    <main className="page" id="main" aria-busy={!error}>
      <div className="bar" />
      <div className="content pull">
        <h1 className="sr-only">Pull request {ids.number}</h1>
        {error && !isSignedOut(error) ? (
          <Fault error={error} onAgain={() => void refetch()} />
        ) : (
          <Skeleton rows={8} height={38} />
        )}
      </div>
    </main>
  )
}
