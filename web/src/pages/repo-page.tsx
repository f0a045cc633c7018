import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { isNotThere } from '#base/api.ts'
import { Fault } from '#components/fault.tsx'
import { NotFound } from '#components/not-found.tsx'
import { ChecksSection } from '#components/repo/checks-section.tsx'
import { RunwrightYmlSection } from '#components/repo/runwright-yml-section.tsx'
import { DeployKeysSection } from '#components/repo/deploy-keys-section.tsx'
import { GeneralSection } from '#components/repo/general-section.tsx'
import { EgressSection } from '#components/repo/egress-section.tsx'
import { repoQuery } from '#components/repo/queries.ts'
import { RepoFrame, sectionWords } from '#components/repo/repo-frame.tsx'
import { RulesSection } from '#components/repo/rules-section.tsx'
import { SecretsSection } from '#components/repo/secrets-section.tsx'
import { SetupSection } from '#components/repo/setup-section.tsx'
import { SnapshotsSection } from '#components/repo/snapshots-section.tsx'
import { useCanManage } from '#components/use-can-manage.ts'
import { Skeleton } from '#ui/skeleton.tsx'

/** How a repository is worked on, one part at a time. */
export function RepoPage(): ReactElement {
  const ids = useParams({ from: '/shell/organizations/$organizationId/repos/$repoId' })
  const { section = 'setup' } = useSearch({ from: '/shell/organizations/$organizationId/repos/$repoId' })
  const { data: repo, error, isPending, refetch } = useQuery(repoQuery(ids))
  const canManage = useCanManage(ids.organizationId)
  if (error && isNotThere(error)) return <NotFound />
  const props = { ids, canManage }
  return (
    <RepoFrame key={ids.repoId} ids={ids} at={section} title={sectionWords[section]}>
      {error && <Fault error={error} onAgain={() => void refetch()} />}
      {isPending && <Skeleton rows={6} height={52} />}
      {repo && section === 'setup' && <SetupSection {...props} repo={repo} />}
      {repo && section === 'snapshots' && <SnapshotsSection {...props} />}
      {repo && section === 'checks' && <ChecksSection {...props} repo={repo} />}
      {repo && section === 'rules' && <RulesSection organizationId={ids.organizationId} canManage={canManage} />}
      {repo && section === 'secrets' && <SecretsSection {...props} repo={repo} />}
      {repo && section === 'deploy-keys' && <DeployKeysSection {...props} repo={repo} />}
      {repo && section === 'network' && <EgressSection ids={ids} />}
      {repo && section === 'file' && <RunwrightYmlSection ids={ids} />}
      {repo && section === 'general' && <GeneralSection {...props} repo={repo} />}
    </RepoFrame>
  )
}
