import path from 'node:path'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { packRefs, unsyncedRefs } from './pack-refs.ts'
import { sweep } from './repository-folder.ts'
import { startGit, type GitEnd, type RunningGit } from './start-git.ts'

export type ServeGit = {
  service: 'upload-pack' | 'receive-pack'
  /** Say which refs there are; answer one request of a client that knows them; or both, one after the other. */
  part: 'refs' | 'request' | 'all'
  /** What the client asks for in its `Git-Protocol` header. */
  protocol: string | null
  allowForce: boolean
  allowDelete: boolean
  /** How many refs a push moves. */
  refs?: number
  /** Neither show nor name anything but branches. */
  branchesOnly?: boolean
  signal: AbortSignal
}

const hidden = 'refs/internal'
const allButBranches: [string, string][] = [
  ['transfer.hideRefs', 'refs'],
  ['transfer.hideRefs', '!refs/heads'],
]

/** One side of a clone, fetch or push: git's own server program between the request's body and its answer. */
export async function serveGit(repository: string, request: ServeGit): Promise<RunningGit> {
  const { service, part, protocol, allowForce, allowDelete, branchesOnly = false, refs = 0, signal } = request
  // What a push that was killed with the machine left of its pack; nothing else would ever take it away.
  if (service === 'receive-pack') await sweep(path.join(repository, 'objects'), 'tmp_objdir-')
  const hasManyRefs = refs > gitLimits.refsSyncedMax
  const git = startGit({
    // Without a word before it has all of a pack: whether there is room for it is only known then.
    arguments: [
      service,
      ...(part === 'all' ? [] : ['--stateless-rpc']),
      ...(service === 'receive-pack' ? ['--quiet'] : []),
      ...(part === 'refs' ? ['--advertise-refs'] : []),
      repository,
    ],
    config: [
      ...(hasManyRefs ? [unsyncedRefs] : []),
      ['safe.directory', repository],
      ['pack.windowMemory', '64m'],
      ['uploadpack.allowFilter', 'true'],
      ['uploadpack.allowReachableSHA1InWant', 'true'],
      ...(branchesOnly ? allButBranches : [['uploadpack.hideRefs', hidden] as [string, string]]),
      ['receive.hideRefs', hidden],
      ['receive.hideRefs', 'refs/pull'],
      ['receive.fsckObjects', 'true'],
      ['receive.maxInputSize', String(limits.pushBytesMax)],
      // One pack for a push instead of a file for each object.
      ['receive.unpackLimit', '1'],
      // They are read, and nothing follows from them; git would refuse the whole push in words that say nothing.
      ['receive.advertisePushOptions', 'true'],
      ['receive.denyNonFastForwards', String(!allowForce)],
      ['receive.denyDeletes', String(!allowDelete)],
    ],
    environment: protocol === null ? {} : { GIT_PROTOCOL: protocol },
    memoryBytesMax: limits.unpackMemoryBytesMax,
    cpuSecondsMax: gitLimits.unpackCpuSecondsMax,
    timeoutMs: limits.gitServiceMsMax,
    signal,
    // A signal may hit receive-pack while its helper still writes, and then their files would stay.
    quietMs: service === 'receive-pack' ? 1_000 : 0,
  })
  return hasManyRefs ? { ...git, ended: packRefsAfter(git, repository) } : git
}

/** Nobody is told that the push is done before its refs are on the disk. Where they cannot be packed, they are as safe as git's own. */
async function packRefsAfter({ ended }: RunningGit, repository: string): Promise<GitEnd> {
  const end = await ended
  await packRefs(repository).catch(() => {})
  return end
}
