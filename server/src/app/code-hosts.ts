import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import type { RepositoryAdmin } from '#adapters/codehosts/local/repository-admin.ts'
import { readRepoPath } from '#base/repo-path.ts'

export type CodeHost = { git: GitStore; forge: Forge }

/** The hosts of all repositories. Each is picked by the repository's path; `unsupported` where none of ours has its name. */
export type CodeHosts = {
  git(repo: RepoRef): GitStore
  forge(repo: RepoRef): Forge
  admin: RepositoryAdmin
}

/** `hosts`: by their names in a path; that of the built-in one is `local`. */
export function pickByPath(hosts: ReadonlyMap<string, CodeHost>, admin: RepositoryAdmin): CodeHosts {
  const hostOf = ({ path }: RepoRef) => {
    const name = readRepoPath(path)?.host ?? 'local'
    const host = hosts.get(name)
    if (!host) throw new HostError('unsupported', `Repositories of ${name} are not known here.`)
    return host
  }
  return { git: (repo) => hostOf(repo).git, forge: (repo) => hostOf(repo).forge, admin }
}
