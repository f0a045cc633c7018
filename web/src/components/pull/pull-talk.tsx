import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import { Link } from '@tanstack/react-router'
import { useMemo, useState, type ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { useKeys } from '#ui/use-keys.ts'
import { CommentForm } from './comment-form.tsx'
import { EditPullDialog } from './edit-pull-dialog.tsx'
import { MergeBox } from './merge-box.tsx'
import { MergedBox } from './merged-box.tsx'
import { PullChecks } from './pull-checks.tsx'
import { groupThreads } from './group-threads.ts'
import { PullReviews } from './pull-reviews.tsx'
import { PullThread } from './pull-thread.tsx'

/** What its maker says of it, what others say, and what shall become of it. */
export function PullTalk({ pull, comments }: { pull: PullRequest; comments: PullRequestComment[] }): ReactElement {
  const [isEditing, setIsEditing] = useState(false)
  const threads = useMemo(() => groupThreads(comments), [comments])
  const outside = threads.filter(({ first }) => first.review_id === null)
  useKeys({ c: () => document.querySelector<HTMLElement>('textarea[name=comment]')?.focus() })
  return (
    <div className="stack">
      <section className="panel" aria-label="Description">
        <header>
          <h2>Description</h2>
          <Button look="ghost sm end" onClick={() => setIsEditing(true)}>
            Edit
          </Button>
        </header>
        <div className="panel-body prose">
          {pull.body.trim() ? <Markdown text={pull.body} /> : <p className="faint">No description.</p>}
        </div>
      </section>
      {outside.map((thread) => (
        <section key={thread.first.id ?? thread.first.url} className="panel">
          {thread.first.path !== null && <PlaceLine comment={thread.first} />}
          <div className="panel-body">
            <PullThread pull={pull} thread={thread} />
          </div>
        </section>
      ))}
      <PullReviews pull={pull} threads={threads} />
      <PullChecks pull={pull} />
      {pull.merged ? <MergedBox pull={pull} /> : <MergeBox pull={pull} />}
      <CommentForm pull={pull} />
      {isEditing && <EditPullDialog pull={pull} onClose={() => setIsEditing(false)} />}
    </div>
  )
}

function PlaceLine({ comment: { path, line, side } }: { comment: PullRequestComment }): ReactElement {
  return (
    <header>
      <Icon name="file" size={14} />
      <Link
        className="mono small truncate"
        from="/organizations/$organizationId/repos/$repoId/pulls/$number"
        to="."
        search={{ tab: 'files' }}
      >
        {path}
      </Link>
      <span className="tag end">
        {side === 'base' ? 'Removed line' : 'Line'} {line}
      </span>
    </header>
  )
}
