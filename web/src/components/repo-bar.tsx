import type { Repository } from '@runwright/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { reposQuery } from '#base/api.ts'
import { CopyLink } from './copy-link.tsx'
import { nameOfRepo } from '#base/name-of-repo.ts'

type Props = {
  /** Of what the page is about. */
  of: { organization_id: number; repo_id: number; number: number }
  /** Leads to the others of its kind, under the repository's name. */
  others: (name: string) => ReactNode
  /** Stands before the link to the page itself. */
  beside?: (repo: Repository) => ReactNode
}

/** Where one is, on the page of something that has a number in a repository. */
export function RepoBar({ of, others, beside }: Props): ReactElement {
  const { organization_id: organizationId, repo_id: repoId, number } = of
  const { data: repos } = useQuery(reposQuery(organizationId))
  const repo = repos?.find(({ id }) => id === repoId)
  return (
    <div className="bar">
      <nav className="crumbs small grow" aria-label="Breadcrumb">
        <Link to="/organizations/$organizationId/repos" params={{ organizationId }}>
          Repositories
        </Link>
        <span aria-hidden="true">/</span>
        {others(repo ? nameOfRepo(repo) : `#${repoId}`)}
        <span aria-hidden="true">/</span>
        <b>#{number}</b>
      </nav>
      {repo && beside?.(repo)}
      <CopyLink />
    </div>
  )
}
