import { readRepoPath } from '#base/repo-path.ts'
import { HostError, type RepoRef } from './code-host.ts'

/** The row of a repository. Throws a `HostError` for what is none of the organization's, such as what a run alone works in. */
export function placeOf(repo: RepoRef): { organizationId: number; repoId: number } {
  const place = readRepoPath(repo.path)
  if (!place || place.organizationId !== repo.organizationId)
    throw new HostError('not_found', `There is no repository at ${repo.path}.`)
  return { organizationId: place.organizationId, repoId: place.repoId }
}
