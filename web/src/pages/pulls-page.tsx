import type { PullRequest } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isNotThere, pullsQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'
import { RepoFrame } from '#components/repo/repo-frame.tsx'
import { StateTabs } from '#components/repo/state-tabs.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The pull requests of a repository, the newest first. */
export function PullsPage(): ReactElement {
  const ids = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId/pulls' })
  const { state = 'open' } = useSearch({ from: '/shell/organizations/$organizationId/repos/$repoId/pulls' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    pullsQuery(ids, state),
  )
  if (error && isNotThere(error)) return <NotFound />
  return (
    <RepoFrame ids={ids} at="pulls" title="Pull requests">
      <section className="section" aria-labelledby="pulls">
        <div className="section-head">
          <h2 id="pulls" className="grow">
            Pull requests
          </h2>
          <StateTabs to="/organizations/$organizationId/repos/$repoId/pulls" ids={ids} state={state} />
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={52} />}
        {data?.items.length === 0 && (
          <Empty icon="pr" title={state === 'all' ? 'No pull requests yet' : `No ${state} pull requests`}>
            When a run changes code in this repository, it opens a pull request.
          </Empty>
        )}
        {data && data.items.length > 0 && (
          <ul className="panel list">
            {data.items.map((pull) => (
              <PullRow key={pull.id} pull={pull} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="pull requests"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
    </RepoFrame>
  )
}

function PullRow({ pull }: { pull: PullRequest }): ReactElement {
  const { organization_id: organizationId, repo_id: repoId, number, run_id: runId } = pull
  const state = pull.merged ? 'Merged' : pull.state === 'closed' ? 'Closed' : pull.draft ? 'Draft' : null
  return (
    <li>
      <Icon name="pr" />
      <div className="grow">
        <div className="strong truncate">
          <Link
            to="/organizations/$organizationId/repos/$repoId/pulls/$number"
            params={{ organizationId, repoId, number }}
          >
            {pull.title}
          </Link>
          {state && <span className="tag">{state}</span>}
          {pull.labels.map((label) => (
            <span key={label} className="tag">
              {label}
            </span>
          ))}
        </div>
        <div className="faint small truncate">
          #{number}, opened {formatAgo(pull.created_at, Date.now())} · {pull.head_branch_name} → {pull.base_branch_name}
        </div>
      </div>
      {runId !== null && (
        <Link className="btn sm hide-phone" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
          Run #{runId}
        </Link>
      )}
    </li>
  )
}
