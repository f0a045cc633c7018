import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { questionsQuery } from '#base/api.ts'
import type { Log } from '#log/use-log.ts'
import { QuestionDock } from './question-dock.tsx'
import { MessageComposer } from './message-composer.tsx'
import { NowLine } from './now-line.tsx'

type Props = { run: AgentRun; log: Log; onStop: () => void; onSent: () => void }

/** Stop, message and answer, always in reach. */
export function Dock({ run, log, onStop, onSent }: Props): ReactElement {
  const isWaiting = run.status === 'waiting_for_user'
  const { data: questions } = useQuery({
    ...questionsQuery({ organizationId: run.organization_id, runId: run.id }),
    enabled: isWaiting,
  })
  const open = isWaiting ? questions?.find(({ answer }) => answer === null) : undefined
  return (
    <div className="dock">
      <NowLine run={run} log={log} />
      {open ? (
        <QuestionDock key={open.n} run={run} question={open} />
      ) : (
        <MessageComposer run={run} log={log} onStop={onStop} onSent={onSent} />
      )}
    </div>
  )
}
