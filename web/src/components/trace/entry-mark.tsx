import type { AgentRunLog } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { factsOf, type Kind } from '#log/entry-facts.ts'
import { readPlan } from '#log/read-plan.ts'
import { Icon, type IconName } from '#ui/icon.tsx'

const icons: Record<Exclude<Kind, 'tool'>, IconName> = {
  plan: 'plan',
  answer: 'flag',
  error: 'error',
  user: 'pen',
  pr: 'pr',
  link: 'child',
}

export function EntryMark({ entry }: { entry: AgentRunLog }): ReactElement {
  const { kind, isFailure } = factsOf(entry)
  if (kind === 'tool' || (kind === 'plan' && !readPlan(entry)))
    return <span className={`mark dot ${isFailure ? 'bad' : ''}`} />
  return (
    <span className="mark">
      <Icon name={entry.message_type === 'COMMIT_EVALUATION' ? 'commit' : icons[kind]} size={14} />
    </span>
  )
}
