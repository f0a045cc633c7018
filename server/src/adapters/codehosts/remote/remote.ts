import {
  HostError,
  type HostPull,
  type OpenPull,
  type PullRequest,
  type RepoRef,
} from '#adapters/codehosts/code-host.ts'
import type { LocalHost } from '#adapters/codehosts/local/local.ts'
import { Mirrors, type MirrorsOptions } from '#adapters/codehosts/local/mirrors.ts'
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

/**
 * A host elsewhere as a code host: git by mirrors on this machine, which are brought up to date before each use, and talk by
 * its adapter. What only the built-in host has is done on the mirror where it reads, and is not done where it writes.
 */
export function openRemote(
  remote: RemoteHost,
  { local, folder, take, requireHeld, recordPull }: RemoteOptions,
): LocalHost {
  const mirrors = new Mirrors(local, {
    folder,
    openAccess: (repo, options) => remote.reachGit(repo, options),
    explain: unreachable,
    protectsDefault: false,
    ...(take && { take }),
  })
  return {
    ...local,
    ...remote,
    mirror: (repo, given) => mirrors.mirror(repo, given),
    push: (repo, request) => mirrors.push(repo, request),
    // Made with its first look.
    createRepository: async () => {},
    importRepository: unsupported,
    setDefaultBranch: unsupported,
    landCommit: unsupported,
    prepareRevert: unsupported,
    deleteBranch: (repo, request) => mirrors.deleteBranch(repo, request),
    ...mirrors.reading(),
    prepareMerge: async (repo, given) => {
      await mirrors.ensure(repo, [given.base, given.head])
      return local.prepareMerge(repo, given)
    },
    openPull: async (repo, wanted) => {
      await requireHeld(repo, wanted)
      const { pull, created } = await remote.openPull(repo, wanted)
      const { id } = await recordPull(repo, pull, wanted.runId)
      return { pull: asPullRequest(pull, id), created }
    },
  }
}

function asPullRequest({ head, base, ...pull }: HostPull, id: number): PullRequest {
  const { number, title, body, url, state, merged, createdAt } = pull
  return { id, number, title, body, url, headBranch: head.branch, baseBranch: base.branch, state, merged, createdAt }
}

async function unsupported(): Promise<never> {
  throw new HostError('unsupported', "That is done on the repository's own host.")
}

function unreachable(stderr: string): HostError {
  const why = `The repository's host does not let git in: ${complaintOf(stderr)}.`
  if (/not found|returned error: 404/i.test(stderr)) return new HostError('not_found', why)
  if (/returned error: 40[13]|Authentication failed|could not read Username/i.test(stderr))
    return new HostError('forbidden', why)
  return new HostError('unavailable', why)
}
