import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { formatTime } from '#ui/format.ts'

export function TurnLine({ entry: { turn, created_at: at } }: { entry: AgentRunLog }): ReactElement {
  return (
    <div className="turn">
      <b>Turn {turn}</b>
      <time dateTime={at}>{formatTime(at)}</time>
    </div>
  )
}
