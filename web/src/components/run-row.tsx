import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { usersQuery } from '#api.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Elapsed } from '#ui/elapsed.tsx'
import { formatDollars } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { PullLink } from './pull-link.tsx'
import { RunLine } from './run-line.tsx'
import { titleOf } from './run-title.tsx'
import { StatusGlyph } from './status-glyph.tsx'
import { detailWords, hasEnded, statusWords } from './status.ts'

/** One run in a list. */
export function RunRow({ run, repoName }: { run: AgentRun; repoName: string | undefined }): ReactElement {
  const to = {
    to: '/runs/$organizationId/$runId',
    params: { organizationId: run.organization_id, runId: run.id },
  } as const
  return (
    <li className={`run-row ${run.status}`}>
      <StatusGlyph status={run.status} />
      <div className="min-w-0 flex-1">
        <div className="title min-w-0 truncate">
          <Link {...to}>{titleOf(run)}</Link>
        </div>
        <div className="sub">
          {repoName && <span>{repoName}</span>}
          <span className="text-ink-3">#{run.id}</span>
          <span aria-hidden="true">·</span>
          <span className={hasEnded(run.status) ? 'min-w-0 truncate' : 'now'}>{newsOf(run)}</span>
        </div>
      </div>
      <RunLine run={run} />
      <RowPull run={run} />
      <span className="num cost">{run.usage.cost_usd === null ? '–' : formatDollars(run.usage.cost_usd)}</span>
      <RowTime run={run} />
      <RowPerson run={run} />
    </li>
  )
}

/** What there is to say about it in a few words. */
function newsOf(run: AgentRun): string {
  if (run.status === 'failed') return run.error?.message ?? 'It failed.'
  if (hasEnded(run.status)) return run.summary ?? run.result ?? statusWords[run.status]
  const detail = run.status_detail
  return detail ? (detailWords[detail] ?? detail.replaceAll('_', ' ')) : statusWords[run.status].toLowerCase()
}

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
