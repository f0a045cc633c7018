import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { readPlan } from '#log/read-plan.ts'
import { Markdown } from '#ui/markdown.tsx'

/** What the agent means to do, or has made of what it saw. */
export function PlanNote({ entry }: { entry: AgentRunLog }): ReactElement {
  const steps = readPlan(entry)
  const done = steps?.filter(({ status }) => status === 'completed').length ?? 0
  return (
    <>
      {steps && (
        <div className="says">
          <b>Plan</b>
          <span>{done ? `${done} of ${steps.length} done` : `${steps.length} steps`}</span>
        </div>
      )}
      {entry.thought && (
        <div className="thought prose">
          <Markdown text={entry.thought} />
        </div>
      )}
      {!entry.thought && typeof entry.observation === 'string' && (
        <div className="thought prose">
          <Markdown text={entry.observation} />
        </div>
      )}
    </>
  )
}
