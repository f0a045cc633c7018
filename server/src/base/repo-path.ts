/**
 * Where the objects of a repository lie below the folder of repositories, and by that whose it is: `7/12.git` lives on the
 * built-in host, `7/run-4.git` there too, as what run 4 works in that has no repository, and of `7/github-12.git` only a
 * mirror is here.
 */
export type RepoPlace = { organizationId: number; host: string; repoId: number }

const form = /^([1-9][0-9]*)\/(?:([a-z]+)-)?([1-9][0-9]*)\.git$/

export function repoPath({ organizationId, host, repoId }: RepoPlace): string {
  return `${organizationId}/${host === 'local' ? '' : `${host}-`}${repoId}.git`
}

/** Null for what is no repository of an organization, such as what a run alone works in. */
export function readRepoPath(path: string): RepoPlace | null {
  const [, organization, host = 'local', repo] = form.exec(path) ?? []
  if (repo === undefined || host === 'run') return null
  return { organizationId: Number(organization), host, repoId: Number(repo) }
}
