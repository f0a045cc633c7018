import type { AgentRun, RunPullRequest } from '@runwright/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'

type Props = { run: AgentRun; pull: RunPullRequest; className?: string; children: ReactNode }

/** Leads to the pull request: to its page here, or to the code host that holds it. */
export function PullLink({ run, pull, className, children }: Props): ReactElement {
  const isOurs = URL.canParse(pull.url) && new URL(pull.url).origin === location.origin
  if (!isOurs || run.repo_id === null) {
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
