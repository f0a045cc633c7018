import type { Contestant } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { formatDuration } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Terminal } from '#ui/terminal.tsx'
import { verdictLogQuery, type ComparisonIds } from './queries.ts'

export type Verdict = Contestant['verdicts'][number]
type Props = { ids: ComparisonIds; verdict: Verdict | undefined; isOver: boolean }

/** What a judge found, with its log behind it. */
export function VerdictLine({ ids, verdict, isOver }: Props): ReactElement {
  const [isOpen, setOpen] = useState(false)
  if (!verdict) return <span className="faint">{isOver ? 'Not judged' : 'Not yet'}</span>
  const { conclusion, has_log: hasLog, summary } = verdict
  const isGood = conclusion === 'success'
  const text = (
    <span className={`verdict tone ${conclusion === null ? 'in_progress' : isGood ? 'completed' : 'failed'}`}>
      <Icon name={conclusion === null ? 'clock' : isGood ? 'check' : 'error'} size={14} /> {wordsOf(verdict)}
    </span>
  )
  return (
    <>
      {hasLog ? (
        <button className="link" type="button" title={summary ?? undefined} onClick={() => setOpen(true)}>
          {text}
        </button>
      ) : (
        text
      )}
      {isOpen && <LogDialog ids={ids} verdict={verdict} onClose={() => setOpen(false)} />}
    </>
  )
}

/** `exit 1 · 0.4 s` */
function wordsOf({ status, conclusion, exit_code: code, duration_ms: ms }: Verdict): string {
  if (conclusion === null) return status === 'in_progress' ? 'Running' : 'Queued'
  const how =
    conclusion === 'timed_out'
      ? 'timed out'
      : conclusion === 'cancelled'
        ? 'stopped'
        : code === null
          ? ms === null
            ? 'could not run'
            : 'ended by a signal'
          : `exit ${code}`
  return ms === null ? how : `${how} · ${formatDuration(ms)}`
}

type LogDialogProps = { ids: ComparisonIds; verdict: Verdict; onClose: () => void }

function LogDialog({ ids, verdict, onClose }: LogDialogProps): ReactElement {
  const { data: log, error, refetch } = useQuery(verdictLogQuery(ids, verdict))
  return (
    <Dialog
      title={`What “${verdict.name}” printed`}
      className="dialog wide"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {verdict.summary && <p>{verdict.summary}</p>}
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {log === undefined ? (
        !error && <Skeleton rows={4} height={18} />
      ) : (
        <Terminal text={log} label={`Log of ${verdict.name}`} />
      )}
    </Dialog>
  )
}
