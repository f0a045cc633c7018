import type { AgentRun } from '@runwright/sdk'
import type { ReactElement } from 'react'
import type { Log } from '#log/use-log.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { detailWords } from '#components/status.ts'

/** What happens now, in a few words; for who does not see the page too. */
export function NowLine({ run, log }: { run: AgentRun; log: Log }): ReactElement {
  return (
    <div className="now" role="status" aria-live="polite">
      <StatusGlyph status={run.status} isSilent />
      <span className="min-w-0 truncate">{wordsOf(run, log)}</span>
    </div>
  )
}

function wordsOf(run: AgentRun, log: Log): string {
  switch (run.status) {
    case 'queued':
      return run.status_detail
        ? `In the queue: ${detailWords[run.status_detail] ?? run.status_detail.replaceAll('_', ' ')}`
        : 'In the queue'
    case 'in_progress':
      if (log.progress) return `Running ${log.progress.tool_name ?? 'a tool'}`
      return run.status_detail && run.status_detail !== 'working'
        ? capital(detailWords[run.status_detail] ?? run.status_detail.replaceAll('_', ' '))
        : 'Thinking'
    case 'waiting_for_user':
      return 'Waits for you; the budget stands still meanwhile'
    case 'paused':
      return run.status_detail === 'budget_reached' ? 'Paused: its budget is used up' : 'Paused'
    case 'completed':
      return 'Done. A message sends it on with a new turn'
    case 'failed':
      return `Failed: ${run.error?.message ?? 'nobody knows why'}`
    case 'cancelled':
      return 'Stopped. A message sends it on with a new turn'
  }
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
