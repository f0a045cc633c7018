import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { factsOf } from '#log/entry-facts.ts'
import { Markdown } from '#ui/markdown.tsx'
import { AnswerCard } from './answer-card.tsx'
import { ErrorCard } from './error-card.tsx'
import { HostCard } from './host-card.tsx'
import { LinkCard } from './link-card.tsx'
import { PlanNote } from './plan-note.tsx'
import { Said } from './said.tsx'
import { ToolCall } from './tool-call.tsx'

type Props = { entry: AgentRunLog; isOpen: boolean; isReader: boolean; onFold: (seq: number, isOpen: boolean) => void }

/** Thoughts read as prose, tools as quiet lines, people and hosts as sheets. */
export function EntryBody({ entry, isOpen, isReader, onFold }: Props): ReactElement {
  const { kind } = factsOf(entry)
  if (kind === 'user') return <Said entry={entry} />
  if (kind === 'answer') return <AnswerCard entry={entry} />
  if (kind === 'link') return <LinkCard entry={entry} />
  if (kind === 'plan') return <PlanNote entry={entry} />
  return (
    <>
      {entry.thought && (
        <div className="thought prose">
          <Markdown text={entry.thought} />
        </div>
      )}
      {kind === 'error' && <ErrorCard entry={entry} />}
      {kind === 'pr' && <HostCard entry={entry} />}
      {entry.tool_name && !isReader && kind === 'tool' && <ToolCall entry={entry} isOpen={isOpen} onFold={onFold} />}
    </>
  )
}
