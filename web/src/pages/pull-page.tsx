import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { client, isNotThere, isSignedOut } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'

const pageSize = 100

/** A pull request is shown by the run that opened it. */
export function PullPage(): ReactElement | null {
  const { organizationId, repoId, number } = useParams({
    from: '/organizations/$organizationId/repos/$repoId/pulls/$number',
  })
  const { data: runId, error } = useQuery({
    queryKey: ['pull', organizationId, repoId, number],
    queryFn: () => findRun(organizationId, { repoId, number }),
  })
  if (isNotThere(error)) return <NotFound />
  if (error && !isSignedOut(error)) {
    return (
      <main className="content" id="main">
        <Fault error={error} />
      </main>
    )
  }
  if (runId === undefined) return null
  if (runId === null) return <NotFound />
  return (
    <Navigate
      to="/runs/$organizationId/$runId"
      params={{ organizationId, runId }}
      search={{ tab: 'changes' }}
      replace
    />
  )
}

async function findRun(
  organizationId: number,
  { repoId, number }: { repoId: number; number: number },
): Promise<number | null> {
  for (let skip = 0; ; skip += pageSize) {
    const { items } = await client.runs.list(organizationId, { repo_id: repoId, skip, limit: pageSize })
    const run = items.find(({ github_pull_requests: pulls }) => pulls.some((pull) => pull.number === number))
    if (run) return run.id
    if (items.length < pageSize) return null
  }
}
