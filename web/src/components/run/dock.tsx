import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { questionsQuery } from '#api.ts'
import type { Log } from '#log/use-log.ts'
import { AskDock } from './ask-dock.tsx'
import { Composer } from './composer.tsx'
import { NowLine } from './now-line.tsx'

/** Stop, message and answer are on the screen wherever the run is. */
export function Dock({ run, log, onStop }: { run: AgentRun; log: Log; onStop: () => void }): ReactElement {
  const isWaiting = run.status === 'waiting_for_user'
  const { data: questions } = useQuery({
    ...questionsQuery({ organizationId: run.organization_id, runId: run.id }),
    enabled: isWaiting,
  })
  const open = isWaiting ? questions?.find(({ answer }) => answer === null) : undefined
  return (
    <div className="dock">
      <NowLine run={run} log={log} />
      {open ? <AskDock key={open.n} run={run} question={open} /> : <Composer run={run} log={log} onStop={onStop} />}
    </div>
  )
}
