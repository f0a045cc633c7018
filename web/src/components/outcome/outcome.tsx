import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactElement } from 'react'
import { diffQuery } from '#base/api.ts'
import { claimsOf, editOf, type Claims } from '#log/claims-of.ts'
import type { Log } from '#log/use-log.ts'
import { formatDuration } from '#ui/format.ts'
import { JsonText } from '#ui/json-text.tsx'
import { Markdown } from '#ui/markdown.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { Terminal } from '#ui/terminal.tsx'
import { readFiles } from '#components/diff/read-files.ts'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { EntryLink, OutcomeClaims } from './outcome-claims.tsx'
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
  const { entries, length } = log
  const claims = useMemo(() => claimsOf(entries.slice(0, length)), [entries, length])
  // What lies between two turns is nobody's work.
  const from = log.store.turnStarts.get(run.turn) ?? Date.parse(run.started_at ?? run.created_at)
  const look = run.status === 'completed' ? 'answer' : run.status === 'failed' ? 'fault' : ''
  return (
    <section className={`card outcome ${look}`} aria-label="Outcome">
      <header>
        <StatusGlyph status={run.status} isSilent />
        <h2 className="kind">{titles[run.status] ?? 'Outcome'}</h2>
        {claims.answer !== null && run.status === 'completed' && <EntryLink seq={claims.answer} onGoTo={onGoTo} />}
        <span className="faint small end">
          {run.turn > 1 && `Turn ${run.turn} · `}
          {run.finished_at && formatDuration(Math.max(0, Date.parse(run.finished_at) - from))}
        </span>
      </header>
      {!isShort && <Words run={run} />}
      <Changed run={run} claims={claims} onGoTo={onGoTo} />
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
        {error && <p className="faint small">Error code: {error.code}</p>}
      </div>
    )
  }
  if (status === 'cancelled') return <p className="in">The run was stopped before it finished. Its work is kept.</p>
  if (data !== null) {
    return (
      <div className="in">
        <JsonText value={data} label="Answer" />
        {result && !holdsData(result) && (
          <div className="prose">
            <Markdown text={result} />
          </div>
        )}
      </div>
    )
  }
  return <div className="in prose">{result ? <Markdown text={result} /> : <p className="faint">No answer.</p>}</div>
}

/** Some engines give the data within their words. */
const holdsData = (result: string) => /^\s*[[{"]|```json/.test(result)

type ChangedProps = { run: AgentRun; claims: Claims; onGoTo: (seq: number) => void }

/** What the run has changed, file by file, as a way to the diff and to the edits; and what was run since. */
function Changed({ run, claims, onGoTo }: ChangedProps): ReactElement {
  const ids = { organizationId: run.organization_id, runId: run.id }
  const { data: files = [] } = useQuery({ ...diffQuery(ids), select: readFiles })
  return (
    <>
      {files.length > 0 && (
        <div className="outcome-files">
          <Link className="link" from="/runs/$organizationId/$runId" to="." search={{ tab: 'changes' }}>
            {files.length === 1 ? '1 file changed' : `${files.length} files changed`}
          </Link>
          <ul>
            {files.slice(0, filesNamed).map((file) => (
              <ChangedFile key={file.path} file={file} seq={editOf(claims, file.path)} onGoTo={onGoTo} />
            ))}
          </ul>
          {files.length > filesNamed && <span className="faint small">and {files.length - filesNamed} more</span>}
        </div>
      )}
      <OutcomeClaims claims={claims} hasChanges={files.length > 0} onGoTo={onGoTo} />
    </>
  )
}

type FileProps = { file: DiffFile; seq: number | null; onGoTo: (seq: number) => void }

function ChangedFile({ file: { path, added, removed }, seq, onGoTo }: FileProps): ReactElement {
  return (
    <li>
      <code className="truncate">{path}</code>
      <span className="stat">
        <span className="p">+{added}</span> <span className="m">−{removed}</span>
      </span>
      {seq !== null && <EntryLink seq={seq} onGoTo={onGoTo} />}
    </li>
  )
}
