import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Markdown } from '#ui/markdown.tsx'

/** What a person said, here or on the code host. */
export function Said({ entry: { observation, message_type: type, seq } }: { entry: AgentRunLog }): ReactElement {
  const comment = typeof observation === 'object' && observation !== null ? observation : null
  const text = comment ? String(comment['body'] ?? '') : String(observation ?? '')
  const author = comment && typeof comment['author'] === 'string' ? comment['author'] : null
  const how = type === 'USER_MESSAGE' ? (seq === 1 ? 'started the run' : 'said') : 'commented'
  return (
    <div className="said">
      <div className="says">
        <b>{author ?? 'You or a colleague'}</b>
        <span className="dim">{how}</span>
      </div>
      <div className="prose">
        <Markdown text={text} />
      </div>
    </div>
  )
}
