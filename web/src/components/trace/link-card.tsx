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
  // Outside of an organization stand records, whose runs may be of another installation.
  const { organizationId } = useParams({ strict: false })
  const details = typeof observation === 'object' && observation !== null ? observation : {}
  const runId = Number(textOf(details['agent_run_id']) || Number.NaN)
  const isOurs = organizationId !== undefined && Number.isSafeInteger(runId)
  const { data: run } = useQuery({ ...runQuery({ organizationId: organizationId ?? 0, runId }), enabled: isOurs })
  const relation = (textOf(details['relation']) || 'related').replaceAll('_', ' ')
  return (
    <div className="card">
      <header>
        <span className="kind">{`${relation.charAt(0).toUpperCase()}${relation.slice(1)} run`}</span>
        {isOurs ? (
          <Link className="link" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
            #{runId}
          </Link>
        ) : (
          <span>#{textOf(details['agent_run_id'])}</span>
        )}
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
