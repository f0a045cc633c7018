import path from 'node:path'
import type pg from 'pg'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import type { HostPull, OpenPull as HostOpenPull, RepoRef } from '#adapters/codehosts/code-host.ts'
import { openDispatchingHost } from '#adapters/codehosts/dispatch/dispatching.ts'
import {
  openLocalHost,
  type LocalHost,
  type LocalHostOptions,
  type TakeBytes,
} from '#adapters/codehosts/local/local.ts'
import { openMirroredHost } from '#adapters/codehosts/local/mirrored.ts'
import { placeOf } from '#adapters/codehosts/place-of.ts'
import { openRemote } from '#adapters/codehosts/remote/remote.ts'
import type { Config } from '#base/config/config.ts'
import type { Lookup } from '#base/network/names.ts'
import { openPull, type OpenPull } from '#domain/hosts/pulls/open-pull.ts'
import { saveHostPull } from '#domain/hosts/pulls/save-host-pull.ts'
import { readRepoPath } from '#base/repo-path.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { openGitAccess } from '#domain/runs/git-access/open-git-access.ts'
import { openReadingAccess } from '#domain/repos/repos/open-reading-access.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { builtinForge } from './builtin-forge.ts'
import type { RemoteHosts } from './open-remote-hosts.ts'

export type OpenHost = {
  pool: pg.Pool
  tokenKeys: TokenKeys
  publicUrl: () => string
  blobs: BlobStore
  remoteHosts: RemoteHosts
  lookup: Lookup
  /** Who else may read the repositories, by group. Needs root. */
  readableBy?: { gid: number }
}

/** The code hosts of all repositories. Which one it is each repository says itself. */
export function openHost(config: Config, given: OpenHost): LocalHost {
  const { pool, remoteHosts } = given
  const options = builtInOptions(config, { ...given, store: () => host })
  const plain = openLocalHost(options)
  const requireHeld = async ({ organizationId }: RepoRef, { runId, leaseId }: HostOpenPull) => {
    if (leaseId !== undefined && !(await stillHeld(pool, { organizationId, runId, leaseId })))
      throw new LeaseLost(runId)
  }
  const recordPull = (repo: RepoRef, pull: HostPull, runId: number) =>
    saveHostPull(pool, { ...placeOf(repo), pull, runId })
  // A run's first look at a large repository is none of what the run takes up.
  const take = ({ organizationId, path: at }: RepoRef, bytes: number) =>
    options.takeBytes({ organizationId, path: at }, { bytes })
  const over = { local: plain, folder: options.folder, take, requireHeld, recordPull }
  const remotes = Object.entries(remoteHosts).map(([kind, remote]) => [kind, openRemote(remote, over)])
  const host: LocalHost = openDispatchingHost(
    openBuiltIn(config, { ...given, options, plain }),
    Object.fromEntries(remotes),
  )
  return host
}

function builtInOptions(config: Config, given: OpenHost & { store: () => LocalHost }) {
  const { pool, publicUrl, blobs, lookup, readableBy, store } = given
  const { gitUrl } = config
  return {
    folder: gitUrl ? path.join(config.dataDir, 'mirrors') : (config.gitDir ?? path.join(config.dataDir, 'git')),
    ...(readableBy && { readableBy }),
    importPaths: config.importPaths,
    importBytesMax: config.importBytes,
    takeBytes: takeBytesOf(pool, { isElsewhere: gitUrl !== null }),
    privateHosts: config.privateHosts,
    lookup,
    pulls: { openPull: (pull: Omit<OpenPull, 'publicUrl'>) => openPull(pool, { ...pull, publicUrl: publicUrl() }) },
    forge: builtinForge(pool, { publicUrl, store, blobs }),
  }
}

/**
 * What comes into repositories and mirrors of others counts for them. `isElsewhere`: repositories of the built-in host lie
 * behind the gateway of another machine, which counts.
 */
function takeBytesOf(pool: pg.Pool, { isElsewhere }: { isElsewhere: boolean }): TakeBytes {
  return async ({ organizationId, path: at, holder }, { bytes }) => {
    const place = readRepoPath(at)
    if (isElsewhere && (place?.host ?? 'local') === 'local') return null
    return whyNotTaken(pool, { organizationId, repoId: place?.repoId ?? null, runId: holder?.runId ?? null, bytes })
  }
}

/** The repositories themselves; or, where they lie behind the gateway of another machine, mirrors of them. */
function openBuiltIn(
  { gitUrl }: Config,
  { pool, tokenKeys, options, plain }: OpenHost & { options: LocalHostOptions; plain: LocalHost },
): LocalHost {
  if (!gitUrl) return plain
  return openMirroredHost({
    ...options,
    openAccess: async (repo) => {
      const { organizationId, holder } = repo
      const access = holder
        ? await openGitAccess(pool, tokenKeys, { organizationId, ...holder })
        : await openReadingAccess(pool, tokenKeys, placeOf(repo))
      return { address: gitUrl + access.path, secret: access.secret }
    },
  })
}
