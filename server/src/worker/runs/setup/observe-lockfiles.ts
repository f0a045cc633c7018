import type { HostEvent } from '#base/hosts/host-event.ts'
import { markSetupOutdated } from '#domain/runs/setup-commands/mark-setup-outdated.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'

/** After a push to the default branch: whether the accepted setup commands are still those of its lock files. */
export const observeLockfiles: Handler<Extract<HostEvent, { type: 'push' }>> = async (app, { repo, event }) => {
  if (event.branch !== repo.defaultBranch || event.after === null) return null
  const { branches } = await app.hosts.git(repo).mirror(repo)
  const commit = branches.get(repo.defaultBranch)
  if (!commit) return null
  const isOutdated = await markSetupOutdated(app.pool, { repo, commit, store: app.hosts.git(repo) })
  return isOutdated ? 'the setup commands are outdated' : null
}
