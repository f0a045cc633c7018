import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { factsOf, isNothingToDo } from '#log/entry-facts.ts'
import { Found } from '#ui/found.tsx'
import { formatDuration } from '#ui/format.ts'
import { JsonText } from '#ui/json-text.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'

/** What went wrong, and with which tool. */
export function ErrorCard({ entry }: { entry: AgentRunLog }): ReactElement {
  const { observation, tool_name: tool, message_type: type, duration_ms: ms } = entry
  const title = type === 'PR_CREATION_FAILED' ? 'No pull request was opened' : tool ? `${tool} failed` : 'Error'
  const details = typeof observation === 'object' && observation !== null ? observation : null
  const message = details ? (details['message'] ?? details['error']) : observation
  const isCalm = isNothingToDo(observation)
  const code = details?.['code']
  return (
    <div className={`card ${isCalm ? '' : 'fault'}`}>
      <header>
        {!isCalm && <StatusGlyph status="failed" isSilent />}
        <span className="kind">{title}</span>
        {tool && <span className="mono truncate">{factsOf(entry).argument}</span>}
        <span className="faint small end">
          {typeof code === 'string' ? code : ms === null ? '' : formatDuration(ms)}
        </span>
      </header>
      <div className="in">
        {typeof message === 'string' ? (
          message.includes('\n') ? (
            <Terminal text={message} label="Error" />
          ) : (
            <p>
              <Found text={message} />
            </p>
          )
        ) : (
          <JsonText value={observation} label="Error" />
        )}
      </div>
    </div>
  )
}
