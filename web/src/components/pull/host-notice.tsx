import type { PullRequest } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import { integrationsQuery, reposQuery } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { nameOfHost } from '#components/hosts/name-of-host.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'

type Props = {
  pull: PullRequest
  /** Why it could not be asked. */
  error: Error | null
  onAgain: () => void
}

/** Says where nothing can be read from the host of a pull request, or done there: why, and who can change it. */
export function HostNotice({ pull, error, onAgain }: Props): ReactElement | null {
  const { organization_id: organizationId, repo_id: repoId } = pull
  const { data: repo } = useQuery({
    ...reposQuery(organizationId),
    select: (repos) => repos.find(({ id }) => id === repoId),
  })
  const isElsewhere = repo !== undefined && repo.host !== 'local'
  const { data: host } = useQuery({
    ...integrationsQuery(organizationId),
    enabled: isElsewhere,
    select: (hosts) => hosts.find(({ id }) => id === repo?.integration_id),
  })
  const fault = error && <Fault error={error} onAgain={onAgain} />
  if (!isElsewhere) return fault
  if (host && !host.active) return <Away>{nameOfHost(host)} is turned off. A MANAGER can turn it on again.</Away>
  if (!repo.is_connected) {
    return (
      <Away>The host of {repo.full_name} is no longer connected. A MANAGER can reconnect it under Repositories.</Away>
    )
  }
  if (!host) return fault
  if (!error) return null
  return (
    <Away onAgain={onAgain}>
      {nameOfHost(host)} can’t be reached right now: {error.message}
    </Away>
  )
}

function Away({ children, onAgain }: { children: ReactNode; onAgain?: () => void }): ReactElement {
  return (
    <div className="notice waiting_for_user" role="status">
      <Icon name="offline" size={14} />
      <div>
        <p>{children}</p>
        <p className="faint small">
          This page shows what was last read. Commenting and merging have to wait until it responds.
        </p>
      </div>
      {onAgain && (
        <Button look="sm" onClick={onAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}
