import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isNotThere, isSignedOut, runQuery, whyNotThere } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'
import { RunView } from '#components/run/run-view.tsx'
import { RunSkeleton } from '#components/run/run-skeleton.tsx'

/** One run: what it does, what came of it, and how it is steered. */
export function RunPage(): ReactElement {
  const { organizationId, runId } = useParams({ from: '/shell/runs/$organizationId/$runId' })
  const { data: run, error, refetch } = useQuery(runQuery({ organizationId, runId }))
  if (run) return <RunView key={runId} run={run} />
  if (isNotThere(error)) return <NotFound reason={whyNotThere(error)} />
  if (error && !isSignedOut(error)) {
    return (
      <main className="content" id="main">
        <h1 className="sr-only">Run {runId}</h1>
        <Fault error={error} onAgain={() => void refetch()} />
      </main>
    )
  }
  return <RunSkeleton />
}
