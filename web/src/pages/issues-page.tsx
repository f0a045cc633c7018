import type { Issue } from '@runwright/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { issuesQuery, reposQuery } from '#api.ts'
import { Fault } from '#components/fault.tsx'
import { OpenIssueDialog } from '#components/issue/open-issue-dialog.tsx'
import { PageFrame } from '#components/page-frame.tsx'
import { ShowMore } from '#components/show-more.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** The issues of a repository of the built-in host, those that were opened last first. */
export function IssuesPage(): ReactElement {
  const place = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId/issues' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(issuesQuery(place))
  const issues = data?.items
  const { data: repos } = useQuery(reposQuery(place.organizationId))
  const [isOpening, setOpening] = useState(false)
  const name = repos?.find(({ id }) => id === place.repoId)?.name
  const open = (
    <Button look="primary" onClick={() => setOpening(true)}>
      <Icon name="plus" size={14} />
      Open an issue
    </Button>
  )
  return (
    <PageFrame title={name ? `Issues of ${name}` : 'Issues'}>
      <section className="section">
        <div className="section-head">
          <p className="min-w-0 flex-1">Who mentions the agent in one, or assigns it to it, starts a run.</p>
          {issues?.length ? <div className="end">{open}</div> : null}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isPending && <Skeleton rows={4} height={52} />}
        {issues?.length === 0 && (
          <Empty icon="flag" title="No issues yet" action={open}>
            What is wrong, or missing, can be written down here.
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
    </PageFrame>
  )
}

function IssueRow({ issue }: { issue: Issue }): ReactElement {
  const { organization_id: organizationId, repo_id: repoId, number } = issue
  return (
    <li>
      <Icon name={issue.state === 'open' ? 'flag' : 'check'} />
      <div className="min-w-0 flex-1">
        <div className="font-semibold min-w-0 truncate">
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
        <div className="text-ink-3 text-xs min-w-0 truncate">
          #{number}, opened {formatAgo(issue.created_at, Date.now())}
          {issue.author && ` by ${issue.author}`}
        </div>
      </div>
    </li>
  )
}
