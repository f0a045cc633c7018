import type { PullRequest, PullRequestComment } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { formatAgo, formatTime } from '#ui/format.ts'
import { Markdown } from '#ui/markdown.tsx'
import { useNames } from '#components/use-names.ts'

export function PullComment({ pull, comment }: { pull: PullRequest; comment: PullRequestComment }): ReactElement {
  const name = useNames(pull.organization_id)(comment.user_id)
  const isOlder = comment.path !== null && comment.head_commit !== pull.head_commit
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
