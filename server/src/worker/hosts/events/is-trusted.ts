import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { App } from '#app/app.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'

type Known = { isTrusted: Promise<boolean>; until: number }

// Of each host that a process has opened, what it has said lately.
const remembered = new WeakMap<Forge, Map<string, Known>>()

/**
 * Whether somebody may write in a repository, and so ask things of an agent there: the host says, for this person, and no
 * label that a comment carries. What it has said counts for a minute.
 */
export async function isTrusted(
  { hosts, clock }: Pick<App, 'hosts' | 'clock'>,
  repo: RepoRef,
  actor: HostActor,
): Promise<boolean> {
  const forge = hosts.forge(repo)
  const known = remembered.get(forge) ?? new Map<string, Known>()
  remembered.set(forge, known)
  const key = `${repo.path} ${actor.hostUserId} ${actor.login}`
  const now = clock.now().getTime()
  const last = known.get(key)
  if (last && last.until > now) return last.isTrusted
  if (known.size >= hostLimits.permissionsMax) known.clear()
  const asked = forge.permissionOf(repo, actor).then((permission) => permission === 'write' || permission === 'admin')
  known.set(key, { isTrusted: asked, until: now + hostLimits.permissionMs })
  // Only an answer counts.
  asked.catch(() => known.delete(key))
  return asked
}
