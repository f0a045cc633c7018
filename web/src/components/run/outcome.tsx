import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { diffQuery } from '#api.ts'
import type { Log } from '#log/use-log.ts'
import { formatDuration } from '#ui/format.ts'
import { JsonText } from '#ui/json-text.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { readFiles } from '#components/diff/read-files.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { OutcomeActions } from './outcome-actions.tsx'

/** More files than these are counted. */
const filesNamed = 6

type Props = {
  run: AgentRun
  log: Log
  /** Right below the last entry the answer is in sight already. */
  isShort: boolean
  onGoTo: (seq: number) => void
  onRetry: () => void
}

/** How an ended run turned out: its answer or what went wrong, what it changed, and what to do next. */
export function Outcome({ run, log, isShort, onGoTo, onRetry }: Props): ReactElement {
  const from = Date.parse(run.started_at ?? run.created_at)
  const look = run.status === 'completed' ? 'answer' : run.status === 'failed' ? 'fault' : ''
  return (
    <section className={`card outcome ${look}`} aria-label="Outcome">
      <header>
        <StatusGlyph status={run.status} isSilent />
        <h2 className="kind">{titles[run.status] ?? 'Outcome'}</h2>
        <span className="text-ink-3 text-xs end">
          {run.turn > 1 && `Turn ${run.turn} · `}
          {run.finished_at && formatDuration(Math.max(0, Date.parse(run.finished_at) - from))}
        </span>
      </header>
      {!isShort && <Words run={run} />}
      <Changed run={run} />
      <OutcomeActions run={run} log={log} onGoTo={onGoTo} onRetry={onRetry} />
    </section>
  )
}

const titles: Partial<Record<AgentRun['status'], string>> = {
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
}

function Words({ run: { status, error, result, result_json: data } }: { run: AgentRun }): ReactElement | null {
  if (status === 'failed') {
    const message = error?.message ?? 'Unknown error'
    return (
      <div className="in">
        {message.includes('\n') ? <Terminal text={message} label="Error" /> : <p>{message}</p>}
        {error && <p className="text-ink-3 text-xs">Error code: {error.code}</p>}
      </div>
    )
  }
  if (status === 'cancelled') return <p className="in">The run was stopped before it finished. Its work is kept.</p>
  if (data !== null) {
    return (
      <div className="in">
        <JsonText value={data} label="Answer" />
      </div>
    )
  }
  return (
    <div className="in prose">{result ? <Markdown text={result} /> : <p className="text-ink-3">No answer.</p>}</div>
  )
}

/** What the run has changed, file by file, as a way to the diff. */
function Changed({ run }: { run: AgentRun }): ReactElement | null {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const { data: files } = useQuery({ ...diffQuery(ids), select: readFiles })
  if (!files?.length) return null
  return (
    <div className="outcome-files">
      <Link className="link" from="/runs/$organizationId/$runId" to="." search={{ tab: 'changes' }}>
        {files.length === 1 ? '1 file changed' : `${files.length} files changed`}
      </Link>
      <ul>
        {files.slice(0, filesNamed).map(({ path, added, removed }) => (
          <li key={path}>
            <code className="min-w-0 truncate">{path}</code>
            <span className="stat">
              <span className="p">+{added}</span> <span className="m">−{removed}</span>
            </span>
          </li>
        ))}
      </ul>
      {files.length > filesNamed && <span className="text-ink-3 text-xs">and {files.length - filesNamed} more</span>}
    </div>
  )
}
