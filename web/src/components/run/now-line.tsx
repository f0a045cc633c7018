import type { AgentRun, LiveTool } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { argumentOf } from '#log/entry-facts.ts'
import type { Log } from '#log/use-log.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { detailWords } from '#base/status.ts'

/** What is happening now, in a few words; screen readers announce it. */
export function NowLine({ run, log }: { run: AgentRun; log: Log }): ReactElement {
  return (
    <div className="now" role="status" aria-live="polite">
      <StatusGlyph status={run.status} isSilent />
      <span className="truncate">{wordsOf(run, log)}</span>
    </div>
  )
}

function wordsOf(run: AgentRun, log: Log): string {
  switch (run.status) {
    case 'queued':
      return run.status_detail
        ? `Queued: ${detailWords[run.status_detail] ?? run.status_detail.replaceAll('_', ' ')}`
        : 'Queued'
    case 'in_progress':
      if (log.tool) return `Running ${nameOf(log.tool)}`
      if (log.progress) return `Running ${log.progress.tool_name ?? 'a tool'}`
      if (log.writing) return log.writing.kind === 'answer' ? 'Writing its answer' : 'Thinking'
      return run.status_detail && run.status_detail !== 'working'
        ? capital(detailWords[run.status_detail] ?? run.status_detail.replaceAll('_', ' '))
        : 'Thinking'
    case 'waiting_for_user':
      return 'Waiting for you (budget paused)'
    case 'paused':
      return run.status_detail ? `Paused: ${detailWords[run.status_detail] ?? run.status_detail}` : 'Paused'
    case 'completed':
      return 'Done. Send a message to continue.'
    case 'failed':
      return `Failed: ${run.error?.message ?? 'unknown error'}`
    case 'cancelled':
      return 'Stopped. Send a message to continue.'
  }
}

/** A command says more than the name of a shell. */
const nameOf = ({ tool_name: name, tool_input: input }: LiveTool) =>
  (typeof input['command'] === 'string' && argumentOf(input)) || name

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
