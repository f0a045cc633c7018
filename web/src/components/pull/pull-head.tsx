import type { PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { runQuery } from '#base/api.ts'
import { Avatar } from '#ui/avatar.tsx'
import { formatAgo } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { useNames } from '#components/use-names.ts'

/** What it is called, how it stands, and where it comes from. */
export function PullHead({ pull, files }: { pull: PullRequest; files: DiffFile[] }): ReactElement {
  const [added, removed] = [
    files.reduce((sum, file) => sum + file.added, 0),
    files.reduce((sum, file) => sum + file.removed, 0),
  ]
  return (
    <>
      <h1>
        {pull.title} <span className="faint">#{pull.number}</span>
      </h1>
      <div className="run-facts" tabIndex={0} role="group" aria-label="Facts of this pull request">
        <PullPill pull={pull} />
        <span>
          <Icon name="branch" />
          <code>{pull.head_branch_name}</code>
          <span className="faint">→ {pull.base_branch_name}</span>
        </span>
        <span className="stat">
          <span className="p">+{added}</span> <span className="m">−{removed}</span>
        </span>
        {pull.labels.map((label) => (
          <span key={label} className="tag">
            {label}
          </span>
        ))}
        <span className="faint">opened {formatAgo(pull.created_at, Date.now())}</span>
        {/* Last, because the run is read later and would move what follows. */}
        {pull.run_id !== null && <Maker organizationId={pull.organization_id} runId={pull.run_id} />}
      </div>
    </>
  )
}

function PullPill({ pull: { state, draft, merged } }: { pull: PullRequest }): ReactElement {
  const [word, tone] = merged
    ? ['Merged', 'in_progress']
    : state === 'closed'
      ? ['Closed', 'cancelled']
      : draft
        ? ['Draft', 'queued']
        : ['Open', 'completed']
  return (
    <span className={`pill ${tone}`}>
      <Icon name="pr" size={12} />
      {word}
    </span>
  )
}

/** The run that opened it, and who had started that. */
function Maker({ organizationId, runId }: { organizationId: number; runId: number }): ReactElement {
  const { data: run } = useQuery(runQuery({ organizationId, runId }))
  const nameOf = useNames(organizationId)
  const name = run?.user_id ? nameOf(run.user_id) : undefined
  return (
    <>
      <Link to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
        <Icon name="runs" />
        Run #{runId}
      </Link>
      {name && (
        <span>
          <Avatar name={name} />
          {name}
        </span>
      )}
    </>
  )
}
