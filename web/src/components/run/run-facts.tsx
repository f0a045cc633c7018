import type { AgentRun } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { usersQuery } from '#base/api.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Elapsed } from '#ui/elapsed.tsx'
import { formatDollars } from '#ui/format.ts'
import { Icon } from '#ui/icon.tsx'
import { PullLink } from '#components/pull-link.tsx'
import { hasEnded } from '#base/status.ts'

export function RunFacts({ run }: { run: AgentRun }): ReactElement {
  const { data: users } = useQuery(usersQuery(run.organization_id))
  const user = users?.find(({ id }) => id === run.user_id)
  const name = user && (user.full_name ?? user.email ?? `User ${user.id}`)
  const from = Date.parse(run.started_at ?? run.created_at)
  const to = run.finished_at && hasEnded(run.status) ? Date.parse(run.finished_at) : null
  return (
    <div className="run-facts" tabIndex={0} role="group" aria-label="Facts of this run">
      <span title="Since it was started">
        <Icon name="clock" />
        <Elapsed from={from} to={to} form="clock" />
      </span>
      {run.usage.cost_usd !== null && (
        <span>
          <Icon name="coin" />
          {formatDollars(run.usage.cost_usd)}
          {run.max_cost_usd !== null && <span className="faint">of {formatDollars(run.max_cost_usd)}</span>}
        </span>
      )}
      <span>Turn {run.turn}</span>
      <span className="sep" />
      {run.github_pull_requests.map((pull) => (
        <PullLink key={pull.id} run={run} pull={pull}>
          <Icon name="pr" />#{pull.number} <span className="faint">{pull.merged ? 'merged' : pull.state}</span>
        </PullLink>
      ))}
      {run.branch && (
        <span>
          <Icon name="branch" />
          <code>{run.branch}</code>
          {run.base_branch && <span className="faint">→ {run.base_branch}</span>}
        </span>
      )}
      <span>
        <Icon name="engine" />
        {run.model ? `${run.agent_type} · ${run.model}` : run.agent_type}
      </span>
      {name && (
        <span>
          <Avatar name={name} />
          {name}
        </span>
      )}
    </div>
  )
}
