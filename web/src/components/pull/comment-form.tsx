import type { PullRequest } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { client } from '#api.ts'
import { CommentComposer } from '#components/comment-composer.tsx'
import type { Place } from './place.ts'
import { useReread } from './use-reread.ts'

type Props = {
  pull: PullRequest
  /** A line; else it is about the whole. */
  place?: Place
  /** Where it can be put away again. */
  onClose?: () => void
}

export function CommentForm({ pull, place, onClose }: Props): ReactElement {
  const reread = useReread(pull)
  return (
    <CommentComposer
      label={place ? `Comment on line ${place.line}` : 'Comment'}
      name={place ? 'line-comment' : 'comment'}
      isAsked={place !== undefined}
      onSay={async (text) => {
        await client.pulls.comment(pull.organization_id, pull.id, { body: text, ...place })
        await reread()
      }}
      onClose={onClose}
    />
  )
}
