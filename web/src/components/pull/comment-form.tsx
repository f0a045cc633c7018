import type { PullRequest } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { client } from '#base/api.ts'
import { CommentComposer } from '#components/comment-composer.tsx'
import type { Place } from './place.ts'
import { useReread } from './use-reread.ts'

type Props = {
  pull: PullRequest
  /** A line; without one it is about the whole. */
  place?: Place
  /** The line's text, where another one can be suggested for it. */
  suggested?: string | undefined
  /** Where it can be closed again. */
  onClose?: () => void
}

export function CommentForm({ pull, place, suggested, onClose }: Props): ReactElement {
  const reread = useReread(pull)
  return (
    <CommentComposer
      label={place ? `Comment on line ${place.line}` : 'Comment'}
      name={place ? 'line-comment' : 'comment'}
      {...(place && { about: `${place.side} ${place.line} ${place.path}` })}
      suggestion={suggested === undefined ? undefined : `\`\`\`suggestion\n${suggested}\n\`\`\``}
      isAsked={place !== undefined}
      onSay={async (text) => {
        await client.pullRequests.createPullComment({
          org_id: pull.organization_id,
          pr_id: pull.id,
          body: text,
          ...place,
        })
        await reread()
      }}
      onClose={onClose}
    />
  )
}
