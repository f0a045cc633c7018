import { HostError, type HostPull, type OpenPull, type PullRequest, type RepoRef } from './code-host.ts'
import type { LocalHost } from './local/local.ts'
import { openMirrors } from './local/mirrors.ts'
import { complaintOf } from './local/run-git.ts'
import type { RemoteHost } from './remote-host.ts'

export type RemoteOptions = {
  /** In whose folder the mirrors lie. */
  local: LocalHost
  folder: string
  /** Rejects with a `LeaseLost` where the run is not held any more by who asks. */
  requireHeld: (repo: RepoRef, pull: OpenPull) => Promise<void>
  /** Makes our row of a pull request that was opened, or found. */
  recordPull: (repo: RepoRef, pull: HostPull, runId: number) => Promise<{ id: number }>
}

/**
 * A host elsewhere as a code host: git by mirrors on this machine, which are brought up to date before each use, and talk by
 * its adapter. What only the built-in host has is done on the mirror where it reads, and is not done where it writes.
 */
export function openRemote(remote: RemoteHost, { local, folder, requireHeld, recordPull }: RemoteOptions): LocalHost {
  const { mirror, push, ensure } = openMirrors(local, {
    folder,
    openAccess: (repo, options) => remote.reachGit(repo, options),
    explain: unreachable,
    protectsDefault: false,
  })
  /** The same verb, once the mirror holds what it is about. */
  const after =
    <Given, Result>(
      verb: (repo: RepoRef, given: Given) => Promise<Result>,
      names: (given: Given) => readonly (string | null)[],
    ) =>
    async (repo: RepoRef, given: Given): Promise<Result> => {
      await ensure(repo, names(given))
      return verb(repo, given)
    }
  const {
    appForms: _forms,
    identify: _identify,
    listRepositories: _list,
    findRepository: _find,
    reachGit: _reach,
    listNews: _news,
    redeliverFailed: _redeliver,
    ...talk
  } = remote
  return {
    ...local,
    ...talk,
    mirror,
    push,
    // Made with its first look.
    createRepository: async () => {},
    importRepository: unsupported,
    setDefaultBranch: unsupported,
    landCommit: unsupported,
    diff: after(local.diff, ({ base, head }) => [base, head]),
    listChangedFiles: after(local.listChangedFiles, ({ base, head }) => [base, head]),
    readFile: after(local.readFile, ({ commit }) => [commit]),
    listFiles: after(local.listFiles, ({ commit }) => [commit]),
    prepareMerge: after(local.prepareMerge, ({ base, head }) => [base, head]),
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
  const why = `The repository\'s host does not let git in: ${complaintOf(stderr)}.`
  if (/not found|returned error: 404/i.test(stderr)) return new HostError('not_found', why)
  if (/returned error: 40[13]|Authentication failed|could not read Username/i.test(stderr))
    return new HostError('forbidden', why)
  return new HostError('unavailable', why)
}
