import { HostError, type HostPull, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge, OpenPull, PullRequest } from '#adapters/codehosts/forge.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import type { LocalHost } from '#adapters/codehosts/local/local.ts'
import { isUnauthorized, Mirrors, type MirrorsOptions } from '#adapters/codehosts/local/mirrors.ts'
import { complaintOf } from '#adapters/codehosts/local/run-git.ts'
import type { RemoteHost } from '#adapters/codehosts/remote-host.ts'

export type RemoteOptions = {
  /** In whose folder the mirrors lie. */
  local: LocalHost
  folder: string
  /** As of `MirrorsOptions`. */
  take?: MirrorsOptions['take']
  /** Rejects with a `LeaseLost` where the run is not held any more by who asks. */
  requireHeld: (repo: RepoRef, pull: OpenPull) => Promise<void>
  /** Makes our row of a pull request that was opened, or found. */
  recordPull: (repo: RepoRef, pull: HostPull, runId: number) => Promise<{ id: number }>
}

/** A host elsewhere: git by mirrors on this machine, which are brought up to date before each use, and its adapter's forge. */
export function openRemote(
  remote: RemoteHost,
  { local, folder, take, requireHeld, recordPull }: RemoteOptions,
): { git: GitStore; forge: Forge } {
  const git = new Mirrors(local, {
    folder,
    openAccess: (repo, options) => remote.reachGit(repo, options),
    dial: (request) => remote.dial(request),
    explain: unreachable,
    lookAt: (repo, need) => remote.lookAtGit(repo, need),
    protectsDefault: false,
    signer: remote,
    ...(take && { take }),
  })
  const openPull: Forge['openPull'] = async (repo, request) => {
    await requireHeld(repo, request)
    const { pull, created } = await remote.openPull(repo, request)
    const { id } = await recordPull(repo, pull, request.runId)
    return { pull: asPullRequest(pull, id), created }
  }
  return { git, forge: { ...remote, openPull } }
}

function asPullRequest({ head, base, ...pull }: HostPull, id: number): PullRequest {
  const { number, title, body, url, state, merged, createdAt } = pull
  return { id, number, title, body, url, headBranch: head.branch, baseBranch: base.branch, state, merged, createdAt }
}

function unreachable(stderr: string): HostError {
  const why = `The repository's host does not let git in: ${complaintOf(stderr)}.`
  if (/not found|returned error: 404/i.test(stderr)) return new HostError('not_found', why)
  // What it holds is at fault, and will be the next time.
  if (/fsck error|error: object [0-9a-f]{40,64}: /i.test(stderr)) return new HostError('invalid', why)
  if (isUnauthorized(stderr)) return new HostError('unauthorized', why)
  if (/returned error: 403/i.test(stderr)) return new HostError('forbidden', why)
  if (/returned error: (429|503)/i.test(stderr)) return new HostError('rate_limited', why)
  return new HostError('unavailable', why)
}
