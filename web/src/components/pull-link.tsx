import type { AgentRun, RunPullRequest } from '@runwright/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'

type Props = { run: AgentRun; pull: RunPullRequest; className?: string; children: ReactNode }

/** Leads to the page of the pull request here, whichever host it is of; of a repository that is gone, to the host. */
export function PullLink({ run, pull, className, children }: Props): ReactElement {
  if (run.repo_id === null) {
    return (
      <a className={className} href={pull.url} title={pull.title}>
        {children}
      </a>
    )
  }
  return (
    <Link
      className={className}
      title={pull.title}
      to="/organizations/$organizationId/repos/$repoId/pulls/$number"
      params={{ organizationId: run.organization_id, repoId: run.repo_id, number: pull.number }}
    >
      {children}
    </Link>
  )
}
