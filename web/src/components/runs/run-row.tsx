import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { usersQuery } from '#base/api.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Elapsed } from '#ui/elapsed.tsx'
import { formatSpent } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { Time } from '#ui/time.tsx'
import { PullLink } from '#components/pull-link.tsx'
import { RunLine } from './run-line.tsx'
import { titleOf } from '#components/run-title.tsx'
import { Asks } from './asks.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { detailWords, hasEnded, statusWords } from '#base/status.ts'

type Props = {
  run: AgentRun
  repoName: string | undefined
  isSelected: boolean
  /** With Shift: all from the one that was selected last. */
  onSelect: (isRange: boolean) => void
}

/** One run in a list. */
export function RunRow({ run, repoName, isSelected, onSelect }: Props): ReactElement {
  const to = {
    to: '/runs/$organizationId/$runId',
    params: { organizationId: run.organization_id, runId: run.id },
  } as const
  return (
    <li className={`run-row ${run.status} ${isSelected ? 'at' : ''}`} data-run={run.id}>
      <span className="run-mark">
        <StatusGlyph status={run.status} />
        <input
          type="checkbox"
          aria-label={`Select ${titleOf(run)}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        />
      </span>
      <div className="grow">
        <div className="title truncate">
          <Link {...to}>{titleOf(run)}</Link>
        </div>
        <div className="sub">
          {repoName && <span>{repoName}</span>}
          <span className="faint">#{run.id}</span>
          <span aria-hidden="true">·</span>
          <span className={hasEnded(run.status) ? 'truncate' : 'now'}>
            {run.status === 'waiting_for_user' ? <Asks run={run} /> : newsOf(run)}
          </span>
        </div>
      </div>
      <RunLine run={run} />
      <RowPull run={run} />
      <span className="num cost">{formatSpent(run.usage)}</span>
      <RowTime run={run} />
      <Time className="num ago" at={run.created_at} form="ago" />
      <RowPerson run={run} />
    </li>
  )
}

/** The latest about it, in a few words. */
function newsOf(run: AgentRun): string {
  if (run.status === 'failed') return run.error?.message ?? 'Failed: unknown error'
  if (hasEnded(run.status)) return withoutMarks(run.summary ?? run.result ?? statusWords[run.status])
  const detail = run.status_detail
  return detail ? (detailWords[detail] ?? detail.replaceAll('_', ' ')) : statusWords[run.status].toLowerCase()
}

/** Markdown reads as plain text in one line. */
const withoutMarks = (text: string): string => text.replaceAll('**', '').replaceAll('`', '')

function RowPull({ run }: { run: AgentRun }): ReactElement {
  if (run.status === 'waiting_for_user') {
    return (
      <Link
        className="chip act pr"
        to="/runs/$organizationId/$runId"
        params={{ organizationId: run.organization_id, runId: run.id }}
      >
        {run.status_detail === 'plan' ? 'Approve' : 'Answer'}
      </Link>
    )
  }
  const pull = run.github_pull_requests[0]
  if (!pull) return <span className="pr" />
  return (
    <PullLink className="pr" run={run} pull={pull}>
      <Icon name="pr" size={14} />#{pull.number}
    </PullLink>
  )
}

function RowTime({ run }: { run: AgentRun }): ReactElement {
  const from = Date.parse(run.started_at ?? run.created_at)
  return (
    <span className="num dur">
      <Elapsed
        from={from}
        to={run.finished_at && hasEnded(run.status) ? Date.parse(run.finished_at) : null}
        form="clock"
      />
    </span>
  )
}

function RowPerson({ run }: { run: AgentRun }): ReactElement {
  const { data: users } = useQuery(usersQuery(run.organization_id))
  const user = users?.find(({ id }) => id === run.user_id)
  return user ? <Avatar name={user.full_name ?? user.email ?? `User ${user.id}`} /> : <span />
}
