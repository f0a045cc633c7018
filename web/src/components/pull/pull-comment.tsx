import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { formatAgo, formatTime } from '#ui/format.ts'
import { Markdown } from '#ui/markdown.tsx'
import { useNames } from '#components/use-names.ts'

export function PullComment({ pull, comment }: { pull: PullRequest; comment: PullRequestComment }): ReactElement {
  const nameOf = useNames(pull.organization_id)
  const name = comment.user_id === null ? (comment.author?.login ?? 'Someone') : nameOf(comment.user_id)
  const { path, head_commit: seen } = comment
  const isOlder = path !== null && seen !== null && seen !== pull.head_commit
  return (
    <article className="comment" aria-label={`${name} said`}>
      <Avatar name={name} />
      <div>
        <div className="head">
          <b>{name}</b>
          <time dateTime={comment.created_at} title={formatTime(comment.created_at)}>
            {formatAgo(comment.created_at, Date.now())}
          </time>
          {isOlder && <span className="tag">on an earlier commit</span>}
        </div>
        <div className="prose">
          <Markdown text={comment.body} />
        </div>
      </div>
    </article>
  )
}
