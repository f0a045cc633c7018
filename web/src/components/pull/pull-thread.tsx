import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { client } from '#base/api.ts'
import { CommentComposer } from '#components/comment-composer.tsx'
import { Fault } from '#components/fault.tsx'
import { useNames } from '#components/use-names.ts'
import { Button } from '#ui/button.tsx'
import type { Thread } from './group-threads.ts'
import { PullComment } from './pull-comment.tsx'
import { useReread } from './use-reread.ts'

type Props = { pull: PullRequest; thread: Thread }

/** What is said of a line, and in answer to that; where there are threads, they can be answered and resolved. */
export function PullThread({ pull, thread: { first, replies } }: Props): ReactElement {
  const [isOpened, setIsOpened] = useState(false)
  const isShown = isOpened || !first.resolved
  const all = [first, ...replies]
  return (
    <div className="thread">
      {isShown && all.map((comment) => <PullComment key={comment.id ?? comment.url} pull={pull} comment={comment} />)}
      {first.resolved && (
        <div className="row">
          <ResolvedWords pull={pull} thread={{ first, replies }} />
          <Button look="ghost sm end" aria-expanded={isShown} onClick={() => setIsOpened(!isShown)}>
            {isShown ? 'Hide' : all.length === 1 ? 'Show 1 comment' : `Show ${all.length} comments`}
          </Button>
        </div>
      )}
      {first.thread_id !== null && (
        <ThreadBar pull={pull} threadId={first.thread_id} isResolved={first.resolved} isShown={isShown} />
      )}
    </div>
  )
}

function ResolvedWords({ pull, thread: { first } }: Props): ReactElement {
  const nameOf = useNames(pull.organization_id)
  return (
    <span className="muted small truncate">
      {first.resolved_by === null ? 'Resolved' : `Resolved by ${nameOf(first.resolved_by)}`}
    </span>
  )
}

type BarProps = { pull: PullRequest; threadId: number; isResolved: boolean; isShown: boolean }

function ThreadBar({ pull, threadId, isResolved, isShown }: BarProps): ReactElement {
  const reread = useReread(pull)
  const [isReplying, setIsReplying] = useState(false)
  const ids = { org_id: pull.organization_id, pr_id: pull.id }
  const settle = useMutation({
    mutationFn: () => client.pullRequests.updatePullComment({ ...ids, comment_id: threadId, resolved: !isResolved }),
    onSettled: reread,
  })
  return (
    <>
      {isReplying && (
        <CommentComposer
          label="Reply"
          name="reply"
          about={`thread ${threadId}`}
          isAsked
          onSay={async (body) => {
            await client.pullRequests.createPullComment({ ...ids, body, in_reply_to: threadId })
            await reread()
          }}
          onClose={() => setIsReplying(false)}
        />
      )}
      {settle.error && <Fault error={settle.error} />}
      <div className="row">
        {isShown && !isReplying && (
          <Button look="ghost sm" onClick={() => setIsReplying(true)}>
            Reply
          </Button>
        )}
        <Button look="sm" isBusy={settle.isPending} onClick={() => settle.mutate()}>
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
      </div>
    </>
  )
}
