import type { Issue } from '@runwright/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactElement, type ReactNode } from 'react'
import { client, issueCommentsQuery, issuesKey } from '#base/api.ts'
import { CommentComposer } from '#components/comment-composer.tsx'
import { Fault } from '#components/fault.tsx'
import { RepoBar } from '#components/repo-bar.tsx'
import { useNames } from '#components/use-names.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { formatAgo, formatTime } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { IssueAside } from './issue-aside.tsx'

type Props = {
  issue: Issue
  /** Beside the bar: what is to be known of the page itself. */
  strip: ReactNode
}

export function IssueView({ issue, strip }: Props): ReactElement {
  const { organization_id: organizationId, repo_id: repoId, number } = issue
  const place = { organizationId, repoId, number }
  const comments = useQuery(issueCommentsQuery(place))
  const queries = useQueryClient()
  const reread = () => queries.invalidateQueries({ queryKey: issuesKey(place) })
  const change = useMutation({
    mutationFn: (state: Issue['state']) =>
      client.issues.updateIssue({ org_id: organizationId, repo_id: repoId, n: number, state }),
    onSettled: reread,
  })
  const isOpen = issue.state === 'open'
  useEffect(() => {
    document.title = `${issue.title} · #${number} · Runwright`
  }, [issue.title, number])
  return (
    <main className="page" id="main">
      <IssueBar issue={issue} />
      {strip}
      <div className="content pull">
        <h1>
          {issue.title} <span className="faint">#{number}</span>
        </h1>
        <div className="run-facts" tabIndex={0} role="group" aria-label="Facts of this issue">
          <span className={`pill ${isOpen ? 'completed' : 'cancelled'}`}>
            <Icon name="flag" size={12} />
            {isOpen ? 'Open' : 'Closed'}
          </span>
          {issue.labels.map((label) => (
            <span key={label} className="tag">
              {label}
            </span>
          ))}
          <span className="faint">opened {formatAgo(issue.created_at, Date.now())}</span>
        </div>
        <div className="pull-grid">
          <IssueAside issue={issue} onChange={reread} />
          <div className="stack">
            <Said issue={issue} userId={issue.user_id} at={issue.created_at} text={issue.body || '*No description.*'} />
            {comments.error && <Fault error={comments.error} onAgain={() => void comments.refetch()} />}
            {comments.isPending && <Skeleton rows={3} height={38} />}
            {comments.data?.map(({ id, user_id: userId, body, created_at: at }) => (
              <Said key={id} issue={issue} userId={userId} at={at} text={body} />
            ))}
            <CommentComposer
              label="Comment"
              name="comment"
              onSay={async (body) => {
                await client.issues.createIssueComment({ org_id: organizationId, repo_id: repoId, n: number, body })
                await reread()
              }}
            />
            {change.error && <Fault error={change.error} />}
            <div>
              <Button look="sm" isBusy={change.isPending} onClick={() => change.mutate(isOpen ? 'closed' : 'open')}>
                {isOpen ? 'Close issue' : 'Reopen issue'}
              </Button>
            </div>
          </div>
        </div>
      </div>
    </main>
  )
}

type SaidProps = { issue: Issue; userId: number; at: string; text: string }

function Said({ issue, userId, at, text }: SaidProps): ReactElement {
  const name = useNames(issue.organization_id)(userId)
  return (
    <section className="panel">
      <div className="panel-body">
        <article className="comment" aria-label={`${name} said`}>
          <Avatar name={name} />
          <div>
            <div className="head">
              <b>{name}</b>
              <time dateTime={at} title={formatTime(at)}>
                {formatAgo(at, Date.now())}
              </time>
            </div>
            <div className="prose">
              <Markdown text={text} />
            </div>
          </div>
        </article>
      </div>
    </section>
  )
}

function IssueBar({ issue }: { issue: Issue }): ReactElement {
  const params = { organizationId: issue.organization_id, repoId: issue.repo_id }
  return (
    <RepoBar
      of={issue}
      others={(name) => (
        <Link className="truncate" to="/organizations/$organizationId/repos/$repoId/issues" params={params}>
          {name}
        </Link>
      )}
    />
  )
}
