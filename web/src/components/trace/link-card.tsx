import type { AgentRunLog } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { runQuery } from '#base/api.ts'
import { textOf } from '#log/text-of.ts'
import { titleOf } from '#components/run-title.tsx'
import { StatusPill } from '#components/status-pill.tsx'

/** Another run that this one has to do with, as it stands now. */
export function LinkCard({ entry: { observation } }: { entry: AgentRunLog }): ReactElement {
  const { organizationId } = useParams({ from: '/shell/runs/$organizationId/$runId' })
  const details = typeof observation === 'object' && observation !== null ? observation : {}
  const runId = Number(details['agent_run_id'])
  const { data: run } = useQuery({ ...runQuery({ organizationId, runId }), enabled: Number.isSafeInteger(runId) })
  const relation = (textOf(details['relation']) || 'related').replaceAll('_', ' ')
  return (
    <div className="card">
      <header>
        <span className="kind">{`${relation.charAt(0).toUpperCase()}${relation.slice(1)} run`}</span>
        <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
          #{String(details['agent_run_id'])}
        </Link>
        {run && <span className="truncate">{titleOf(run)}</span>}
        {run && (
          <span className="end">
            <StatusPill status={run.status} />
          </span>
        )}
      </header>
    </div>
  )
}
