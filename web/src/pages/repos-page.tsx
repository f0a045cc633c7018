import type { Repository } from '@runwright/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { integrationsQuery, repoPagesQuery, storageQuery } from '#base/api.ts'
import { AddRepoDialog } from '#components/add-repo-dialog.tsx'
import { Fault } from '#components/fault.tsx'
import { FailedJobs } from '#components/hosts/failed-jobs.tsx'
import { Integrations } from '#components/hosts/integrations.tsx'
import { nameOfRepo } from '#base/name-of-repo.ts'
import { PageFrame } from '#components/page-frame.tsx'
import { StorageUse } from '#components/storage-use.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { ShowMore } from '#components/show-more.tsx'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

export function ReposPage(): ReactElement {
  const { organizationId } = useParams({ from: '/shell/organizations/$organizationId/repos' })
  const { data, error, isPending, refetch, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    repoPagesQuery(organizationId),
  )
  const repos = data?.items
  const canManage = useCanManage(organizationId)
  const hosts = useQuery({ ...integrationsQuery(organizationId), enabled: canManage === true })
  const storage = useQuery(storageQuery(organizationId))
  // Each part below would be moved down by what comes above it later.
  const isLoading = isPending || storage.isPending || hosts.isLoading
  const [isAdding, setAdding] = useState(false)
  const add = canManage && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} />
      Add a repository
    </Button>
  )
  return (
    <PageFrame title="Repositories">
      <section className="section">
        <div className="section-head">
          <p className="grow">
            The code your agents work on. Clone and push with Git over HTTP, using a token as the password.
          </p>
          {repos?.length ? <div className="end">{add}</div> : null}
        </div>
        {error && <Fault error={error} onAgain={() => void refetch()} />}
        {isLoading && <Skeleton rows={4} height={52} />}
        {!isLoading && repos?.length === 0 && (
          <Empty icon="repo" title="No repositories yet" action={add}>
            {canManage === false
              ? 'Ask a MANAGER of this organization to add one.'
              : 'Create an empty repository or import one. Runs need one to change code.'}
          </Empty>
        )}
        {!isLoading && repos && repos.length > 0 && (
          <ul className="panel list">
            {repos.map((repo) => (
              <RepoRow key={repo.id} repo={repo} />
            ))}
          </ul>
        )}
        {!isLoading && data && (
          <ShowMore
            shown={data.items.length}
            total={data.total}
            name="repositories"
            isBusy={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </section>
      {!isLoading && canManage && <Integrations organizationId={organizationId} />}
      {!isLoading && canManage && <FailedJobs organizationId={organizationId} />}
      {!isLoading && <StorageUse organizationId={organizationId} />}
      {isAdding && <AddRepoDialog organizationId={organizationId} onClose={() => setAdding(false)} />}
    </PageFrame>
  )
}

function RepoRow({ repo }: { repo: Repository }): ReactElement {
  return (
    <li className="wrap">
      <Icon name="repo" />
      <div className="grow">
        <div className="strong truncate">
          <Link
            to="/organizations/$organizationId/repos/$repoId"
            params={{ organizationId: repo.organization_id, repoId: repo.id }}
          >
            {nameOfRepo(repo)}
          </Link>
          {repo.archived && <span className="tag">Archived</span>}
          {!repo.is_connected && <span className="tag">Not connected</span>}
        </div>
        <div className="faint small truncate">
          {repo.description || `${repo.default_branch} · ${repo.host === 'local' ? 'Built-in host' : 'GitHub'}`}
        </div>
      </div>
      {repo.host === 'local' && (
        <Link
          className="btn sm"
          to="/organizations/$organizationId/repos/$repoId/issues"
          params={{ organizationId: repo.organization_id, repoId: repo.id }}
        >
          <Icon name="flag" size={12} />
          Issues<span className="sr-only"> of {repo.name}</span>
        </Link>
      )}
      <code className="mono muted truncate repo-url">{repo.git_url}</code>
      <Button look="sm" onClick={() => void copyText(repo.git_url, 'Clone URL copied')}>
        <Icon name="copy" size={12} />
        Copy clone URL
      </Button>
    </li>
  )
}
