import type { Check, PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { pullCheckLogQuery, pullChecksQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { formatDuration } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { LinkedText } from '#ui/linked-text.tsx'
import { PageLink } from '#ui/page-link.tsx'
import { Terminal } from '#ui/terminal.tsx'

/** What was found of its head by machines; nothing where nobody checks. */
export function PullChecks({ pull }: { pull: PullRequest }): ReactElement | null {
  const { data: checks, error, refetch } = useQuery(pullChecksQuery(pull))
  if (error) return <Fault error={error} onAgain={() => void refetch()} />
  if (!checks?.length) return null
  return (
    <section className="panel" aria-label="Checks">
      <header>
        <h2>Checks</h2>
        <span className="faint small">
          {countsOf(checks)}, of <code>{pull.head_commit.slice(0, 7)}</code>
        </span>
      </header>
      <ul>
        {checks.map((check) => (
          <CheckRow key={check.key} pull={pull} check={check} />
        ))}
      </ul>
    </section>
  )
}

/** "1 failed, 2 passed" */
function countsOf(checks: readonly Check[]): string {
  const counts = Object.groupBy(checks, wordOf)
  return Object.keys(counts)
    .toSorted()
    .map((word) => `${counts[word]?.length} ${word}`)
    .join(', ')
}

/** Who tells only of the end has measured nothing; less would be shown as 0.0 s. */
const shownMsMin = 50

type RowProps = { pull: PullRequest; check: Check }

function CheckRow({ pull, check }: RowProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  const { name, app, summary, url, started_at: from, completed_at: to } = check
  const tookMs = from && to ? Date.parse(to) - Date.parse(from) : 0
  return (
    <li className="check-row">
      <div className="row wrap">
        <span className={`tag tone ${toneOf(check)}`}>{wordOf(check)}</span>
        <b className="truncate">{name}</b>
        <span className="faint small">
          {app}
          {tookMs >= shownMsMin && ` · ${formatDuration(tookMs)}`}
        </span>
        <span className="grow" />
        {url && <PageLink href={url}>Details</PageLink>}
        {check.has_log && (
          <button className="btn ghost sm" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon name="terminal" size={12} />
            Log<span className="sr-only"> of {name}</span>
          </button>
        )}
      </div>
      {summary && (
        <p className="check-summary muted small">
          <LinkedText text={summary.replaceAll(/\n{2,}/g, '\n')} />
        </p>
      )}
      {isOpen && <CheckLog pull={pull} check={check} />}
    </li>
  )
}

function CheckLog({ pull, check }: RowProps): ReactElement {
  const { data: log, error, refetch } = useQuery(pullCheckLogQuery(pull, check))
  if (error) return <Fault error={error} onAgain={() => void refetch()} />
  if (log === undefined) return <p className="faint small">Loading the log…</p>
  return <Terminal text={log} label={`Log of ${check.name}`} />
}

function toneOf({ status, conclusion }: Check): string {
  if (status !== 'completed') return status
  if (conclusion === 'success') return 'completed'
  return conclusion === 'neutral' || conclusion === 'skipped' || conclusion === 'cancelled' ? 'cancelled' : 'failed'
}

const words: Record<string, string> = { in_progress: 'running', success: 'passed', failure: 'failed' }

function wordOf({ status, conclusion }: Check): string {
  const word = conclusion ?? status
  return words[word] ?? word.replaceAll('_', ' ')
}
