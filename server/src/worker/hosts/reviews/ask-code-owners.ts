import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { findNamedUsers } from '#domain/accounts/users/find-named-users.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { findHostPull } from '#domain/hosts/pulls/find-host-pull.ts'
import { requestCodeOwners } from '#domain/hosts/pulls/request-code-owners.ts'
import type { HandleHostEvent } from '#worker/hosts/events/handler.ts'
import { findCodeOwners, type FoundCodeOwners } from './find-code-owners.ts'

type Asking = Pick<App, 'hosts' | 'pool' | 'redactors'>
type Asked = HandleHostEvent<Extract<HostEvent, { type: 'pull' }>>

/**
 * Asks the owners of what a pull request of the built-in host changes to review it. The base says who they are, never the head: who proposes a
 * change does not choose who looks at it. Other hosts ask their own.
 */
export async function askCodeOwners(app: Asking, { organizationId, repo, event }: Asked): Promise<string | null> {
  if (repo.host !== 'local' || repo.archived) return null
  const pull = await findHostPull(app.pool, { organizationId, repoId: repo.id, number: event.number })
  if (pull.state !== 'open' || pull.draft) return null
  const git = app.hosts.git(repo)
  const base = (await git.mirror(repo)).branches.get(pull.baseBranch)
  if (base === undefined) return null
  const ids = { organizationId, pullId: pull.id }
  const found = await findCodeOwners({ git, repo, base, head: pull.headCommit })
  if (found === null) {
    if (pull.codeOwners) await requestCodeOwners(app.pool, { ...ids, codeOwners: null, owners: [] })
    return null
  }
  const { mask } = await app.redactors.readRepo({ organizationId, repoId: repo.id })
  const asked = await requestCodeOwners(app.pool, { ...ids, ...(await resolve(app, { organizationId, found, mask })) })
  return asked > 0 ? `${asked} code owners were asked for a review` : null
}

type Resolve = { organizationId: number; found: FoundCodeOwners; mask: (text: string) => string }

/** Of names that several people are called by, the first counts by which each is named. */
async function resolve({ pool }: Asking, { organizationId, found, mask }: Resolve) {
  const users = await findNamedUsers(pool, { organizationId, names: [...found.owners.keys()] })
  const notFound = [...found.owners.keys()].filter((name) => !users.has(name)).map(mask)
  const owners = new Map<number, string>()
  for (const [name, pattern] of found.owners) {
    const userId = users.get(name)
    if (userId !== undefined && !owners.has(userId)) owners.set(userId, mask(pattern))
  }
  const { askedMax, notFoundMax } = codeOwnersLimits
  const problems = [
    ...found.problems,
    ...(owners.size > askedMax ? [`${owners.size} people own what is changed; ${askedMax} are asked.`] : []),
    ...(notFound.length > notFoundMax ? [`${notFound.length - notFoundMax} more owners are not found here.`] : []),
  ]
  return {
    codeOwners: { path: found.path, notFound: notFound.slice(0, notFoundMax), problems },
    owners: Array.from(owners, ([userId, pattern]) => ({ userId, pattern })),
  }
}
