import type { Issue } from '@runwright/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { isNotThere, issuesQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { OpenIssueDialog } from '#components/issue/open-issue-dialog.tsx'
import { NotFound } from '#components/not-found.tsx'
import { RepoFrame } from '#components/repo/repo-frame.tsx'
import { StateTabs } from '#components/repo/state-tabs.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The issues of a repository of the built-in host, the newest first. */
export function IssuesPage(): ReactElement {
  const place = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId/issues' })
  const { state = 'open' } = useSearch({ from: '/shell/organizations/$organizationId/repos/$repoId/issues' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    issuesQuery(place, state),
  )
  const issues = data?.items
  const [isOpening, setOpening] = useState(false)
  const open = (
    <Button look="primary" onClick={() => setOpening(true)}>
      <Icon name="plus" size={14} />
      New issue
    </Button>
  )
  if (error && isNotThere(error)) return <NotFound />
  return (
    <RepoFrame ids={place} at="issues" title="Issues">
      <section className="section" aria-labelledby="issues">
        <div className="section-head">
          <div className="grow">
            <h2 id="issues">Issues</h2>
            <p>Mention or assign the agent to start a run.</p>
          </div>
          <div className="end">
            <StateTabs to="/organizations/$organizationId/repos/$repoId/issues" ids={place} state={state} />
            {issues?.length ? open : null}
          </div>
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={52} />}
        {issues?.length === 0 && (
          <Empty icon="flag" title={state === 'all' ? 'No issues yet' : `No ${state} issues`} action={open}>
            Describe a bug or a task. The agent can take it from here.
          </Empty>
        )}
        {issues && issues.length > 0 && (
          <ul className="panel list">
            {issues.map((issue) => (
              <IssueRow key={issue.id} issue={issue} />
            ))}
          </ul>
        )}
        {data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="issues"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      {isOpening && <OpenIssueDialog place={place} onClose={() => setOpening(false)} />}
    </RepoFrame>
  )
}

function IssueRow({ issue }: { issue: Issue }): ReactElement {
  const { organization_id: organizationId, repo_id: repoId, number } = issue
  return (
    <li>
      <Icon name={issue.state === 'open' ? 'flag' : 'check'} />
      <div className="grow">
        <div className="strong truncate">
          <Link
            to="/organizations/$organizationId/repos/$repoId/issues/$number"
            params={{ organizationId, repoId, number }}
          >
            {issue.title}
          </Link>
          {issue.state === 'closed' && <span className="tag">Closed</span>}
          {issue.labels.map((label) => (
            <span key={label} className="tag">
              {label}
            </span>
          ))}
        </div>
        <div className="faint small truncate">
          #{number}, opened {formatAgo(issue.created_at, Date.now())}
          {issue.author && ` by ${issue.author}`}
        </div>
      </div>
    </li>
  )
}
