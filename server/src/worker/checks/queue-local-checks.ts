import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { cancelUnwantedChecks } from '#domain/hosts/checks/cancel-unwanted-checks.ts'
import { queueChecks } from '#domain/hosts/checks/queue-checks.ts'
import { findEnvironment } from '#domain/repos/environments/find-environment.ts'
import { findHostPull } from '#domain/hosts/pulls/find-host-pull.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { scopeChecks } from './scope-checks.ts'
import type { HandleHostEvent } from '#worker/hosts/events/handler.ts'

type Queuing = Pick<App, 'hosts' | 'pool'>
type Queued = HandleHostEvent<Extract<HostEvent, { type: 'pull' | 'push' }>>

/**
 * Lets workers check what the built-in host has now: the head of a pull request that is open, the newest commit of the
 * default branch. With what commands the branch says that people answer for, never the head itself.
 */
export async function queueLocalChecks(app: Queuing, { organizationId, repo, event }: Queued): Promise<string | null> {
  if (repo.host !== 'local') return null
  const repoId = repo.id
  const target = repo.archived ? null : await findTarget(app, repo, event)
  let queued = 0
  if (target) {
    const { commit, branch, baseCommit, comparedWith } = target
    const git = app.hosts.git(repo)
    const { checks } = await findEnvironment({ repo, store: git, commit: baseCommit })
    const commands = await scopeChecks({ git, repo, checks, commit, base: comparedWith })
    queued = await queueChecks(app.pool, { organizationId, repoId, commit, branch, commands })
  }
  const cancelled = await cancelUnwantedChecks(app.pool, { organizationId, repoId })
  return queued + cancelled > 0 ? `${queued} checks wait, ${cancelled} were cancelled` : null
}

/** `comparedWith`: what has changed since then is what is checked; null: that is not known. */
type Target = { commit: string; branch: string | null; baseCommit: string | null; comparedWith: string | null }

async function findTarget(app: Queuing, repo: Repo, event: Queued['event']): Promise<Target | null> {
  const { organizationId, id: repoId, defaultBranch } = repo
  if (event.type === 'push' && event.branch !== defaultBranch) return null
  const { branches } = await app.hosts.git(repo).mirror(repo)
  if (event.type === 'push') {
    const commit = branches.get(defaultBranch)
    return commit === undefined
      ? null
      : { commit, branch: defaultBranch, baseCommit: commit, comparedWith: event.before }
  }
  const pull = await findHostPull(app.pool, { organizationId, repoId, number: event.number })
  if (pull.state !== 'open') return null
  const baseCommit = branches.get(pull.baseBranch) ?? null
  return { commit: pull.headCommit, branch: null, baseCommit, comparedWith: baseCommit }
}
