import { readRepoPath } from '#base/repo-path.ts'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { LocalHost } from '#adapters/codehosts/local/local.ts'

/**
 * All hosts as one: each verb is done by the host that the repository's path names. `remotes`: by their names in a path,
 * each over mirrors in the built-in host's folder; of what only the built-in host has they do what mirrors allow.
 */
export function openDispatchingHost(local: LocalHost, remotes: Readonly<Record<string, LocalHost>>): LocalHost {
  function hostOf({ path }: RepoRef): LocalHost {
    const name = readRepoPath(path)?.host ?? 'local'
    const host = name === 'local' ? local : remotes[name]
    if (!host) throw new HostError('unsupported', `Repositories of ${name} are not known here.`)
    return host
  }
  const verbs = Object.entries(local).flatMap(([name, verb]) =>
    typeof verb === 'function' ? [[name, forwarding(name as Verb)] as const] : [],
  )
  function forwarding(name: Verb) {
    return async (repo: RepoRef, ...given: unknown[]) =>
      (hostOf(repo)[name] as (repo: RepoRef, ...given: unknown[]) => Promise<unknown>)(repo, ...given)
  }
  // They share the folder that is swept.
  return { ...(Object.fromEntries(verbs) as unknown as LocalHost), kind: local.kind, sweep: () => local.sweep() }
}

type Verb = Exclude<keyof LocalHost, 'kind' | 'sweep'>
