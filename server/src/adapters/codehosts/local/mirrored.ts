import { GitHostUnreachable, HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import type { LocalHost } from './local.ts'
import { Mirrors, type MirrorsOptions } from './mirrors.ts'
import { isTransportFault } from './reach-git.ts'
import { complaintOf } from './run-git.ts'

export type MirroredOptions = {
  /** That of `local`. */
  folder: string
  /** Where git reaches the repository for the run that asks, or for a worker that reads, and with which token. */
  openAccess: (repo: RepoRef) => Promise<{ address: string; secret: string }>
  /** As of `MirrorsOptions`. */
  dial: MirrorsOptions['dial']
}

/**
 * The built-in host's repositories as a worker on another machine has them: the folder holds mirrors, which are brought up to
 * date through the Git gateway before each use, and what an agent made is checked here and leaves through that gateway.
 */
export function openMirrored(local: LocalHost, { folder, openAccess, dial }: MirroredOptions): GitStore {
  return new Mirrors(local, {
    folder,
    dial,
    openAccess: async (repo) => {
      const { address, secret } = await openAccess(repo)
      return { address, authorization: `Basic ${Buffer.from(`run:${secret}`).toString('base64')}` }
    },
    explain: unreachable,
    // Which branches are protected the host says itself; the mirror does not know.
    protectsDefault: true,
  })
}

function unreachable(stderr: string): HostError {
  const why = complaintOf(stderr)
  const hint = /401|Authentication failed|could not read Username/.test(stderr)
    ? ' Has every process the same RUNWRIGHT_SECRET_KEY?'
    : ''
  const message = `The repository cannot be reached at RUNWRIGHT_GIT_URL: ${why}.${hint}`
  return isTransportFault(stderr) ? new GitHostUnreachable(message) : new HostError('unavailable', message)
}
