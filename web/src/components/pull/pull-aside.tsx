import type { PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { runQuery } from '#base/api.ts'
import { RunLine } from '#components/runs/run-line.tsx'
import { titleOf } from '#components/run-title.tsx'
import { StatusGlyph } from '#components/status-glyph.tsx'
import { CiFixer } from './ci-fixer.tsx'
import { PullReviewers } from './pull-reviewers.tsx'
import { useIsLocal } from './use-is-local.ts'

/** Who reviews it, where that is not its host's business; the run that opened it, and how it looks after it since. */
export function PullAside({ pull }: { pull: PullRequest }): ReactElement | null {
  const isLocal = useIsLocal(pull)
  if (pull.run_id === null && !isLocal) return null
  return (
    <aside className="pull-aside" aria-label="Reviewers and agent">
      {isLocal && <PullReviewers pull={pull} />}
      {pull.run_id !== null && <MadeBy organizationId={pull.organization_id} runId={pull.run_id} />}
      {pull.run_id !== null && pull.agent && <CiFixer pull={pull} runId={pull.run_id} agent={pull.agent} />}
    </aside>
  )
}

function MadeBy({ organizationId, runId }: { organizationId: number; runId: number }): ReactElement {
  const { data: run } = useQuery(runQuery({ organizationId, runId }))
  return (
    <section aria-labelledby="made-by">
      <h2 id="made-by">Made by</h2>
      <Link className="panel made-by" to="/runs/$organizationId/$runId" params={{ organizationId, runId }}>
        <span className="row">
          {run && <StatusGlyph status={run.status} />}
          <b>Run #{runId}</b>
          {run && <span className="end faint small">turn {run.turn}</span>}
        </span>
        {run && <RunLine run={run} />}
        {run && <span className="faint small truncate">{titleOf(run)}</span>}
      </Link>
    </section>
  )
}
