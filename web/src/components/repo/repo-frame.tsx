import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, type ReactElement, type ReactNode } from 'react'
import type { RepoIds } from '#base/api.ts'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { repoSections, type RepoSection } from '#base/search.ts'
import { copyText } from '#ui/copy-text.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { repoQuery } from './queries.ts'

export const sectionWords: Record<RepoSection, string> = {
  setup: 'Setup',
  snapshots: 'Snapshots',
  checks: 'Checks',
  rules: 'Rules',
  secrets: 'Secrets',
  'deploy-keys': 'Deploy keys',
  network: 'Network',
  file: '.runwright.yml',
  general: 'General',
}

type Props = {
  ids: RepoIds
  /** What of the repository is shown. */
  at: 'pulls' | 'issues' | RepoSection
  title: string
  children: ReactNode
}

/** The pages of one repository: its name, and the way to its pull requests, issues and settings. */
export function RepoFrame({ ids, at, title, children }: Props): ReactElement {
  const { data: repo } = useQuery(repoQuery(ids))
  const name = repo ? nameOfRepo(repo) : `#${ids.repoId}`
  useEffect(() => {
    document.title = `${title} · ${name} · Runwright`
  }, [title, name])
  const { organizationId } = ids
  return (
    <main className="page" id="main">
      <div className="bar">
        <nav className="crumbs grow" aria-label="Breadcrumb">
          <Link to="/organizations/$organizationId/repos" params={{ organizationId }}>
            Repositories
          </Link>
          <span aria-hidden="true">/</span>
          <h1 className="truncate">{name}</h1>
          {repo?.archived && <span className="tag">Archived</span>}
        </nav>
        {repo && (
          <>
            <span className="faint small hide-phone">
              {[repo.host === 'local' ? 'Built-in host' : 'GitHub', repo.language].filter(Boolean).join(' · ')}
            </span>
            <Button look="sm" onClick={() => void copyText(repo.git_url, 'Clone URL copied')}>
              <Icon name="copy" size={12} />
              Copy clone URL
            </Button>
          </>
        )}
        <Link
          className="btn sm hide-phone"
          to="/runs/$organizationId"
          params={{ organizationId }}
          search={{ repo: ids.repoId }}
        >
          <Icon name="runs" size={12} />
          Runs
        </Link>
      </div>
      <div className="content two">
        <SubNav ids={ids} at={at} hasIssues={repo?.host !== undefined && repo.host === 'local'} />
        <div>{children}</div>
      </div>
    </main>
  )
}

function SubNav({ ids, at, hasIssues }: { ids: RepoIds; at: Props['at']; hasIssues: boolean }): ReactElement {
  const here = (name: Props['at']) => (at === name ? { 'aria-current': 'page' as const } : {})
  const { pathname } = useLocation()
  useEffect(() => {
    // On a phone the list is one line that scrolls sideways.
    document.querySelector('.subnav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname, at])
  return (
    <nav className="subnav" aria-label="Repository">
      <Link to="/organizations/$organizationId/repos/$repoId/pulls" params={ids} {...here('pulls')}>
        Pull requests
      </Link>
      {hasIssues && (
        <Link to="/organizations/$organizationId/repos/$repoId/issues" params={ids} {...here('issues')}>
          Issues
        </Link>
      )}
      <h2>Settings</h2>
      {repoSections.map((section) => (
        <Link
          key={section}
          to="/organizations/$organizationId/repos/$repoId"
          params={ids}
          search={{ section }}
          {...here(section)}
        >
          {sectionWords[section]}
        </Link>
      ))}
    </nav>
  )
}
