import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { textOf } from '#log/text-of.ts'
import { Markdown } from '#ui/markdown.tsx'

/** What a person said, here or on the code host. */
export function Said({ entry: { observation, message_type: type, seq } }: { entry: AgentRunLog }): ReactElement {
  const comment = typeof observation === 'object' && observation !== null ? observation : null
  const text = textOf(comment ? comment['body'] : observation)
  const author = textOf(comment?.['author'])
  const how = type === 'USER_MESSAGE' ? (seq === 1 ? 'started the run' : 'said') : 'commented'
  return (
    <div className="said">
      <div className="says">
        <b>{author || 'You'}</b>
        <span className="faint">{how}</span>
      </div>
      <div className="prose">
        <Markdown text={text} />
      </div>
    </div>
  )
}
