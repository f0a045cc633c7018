import path from 'node:path'
import type pg from 'pg'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import type { HostPull, RepoRef } from '#adapters/codehosts/code-host.ts'
import type { OpenPull } from '#adapters/codehosts/forge.ts'
import type { GitStore } from '#adapters/codehosts/git-store.ts'
import { openLocalHost, type LocalHost, type TakeBytes } from '#adapters/codehosts/local/local.ts'
import { openMirrored } from '#adapters/codehosts/local/mirrored.ts'
import { Dialer } from '#adapters/codehosts/dial-out.ts'
import { placeOf } from '#adapters/codehosts/place-of.ts'
import { openRemote } from '#adapters/codehosts/remote/remote.ts'
import type { Clock } from '#base/clock.ts'
import type { Config } from '#base/config/config.ts'
import type { Lookup } from '#base/network/names.ts'
import { saveHostPull } from '#domain/hosts/pulls/save-host-pull.ts'
import { readRepoPath } from '#base/repo-path.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { stillHeld } from '#domain/runs/runs/still-held.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { openGitAccess } from '#domain/runs/git-access/open-git-access.ts'
import { openReadingAccess } from '#domain/repos/repos/open-reading-access.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { builtinForge } from './builtin-forge.ts'
import { pickByPath, type CodeHosts } from './code-hosts.ts'
import type { RemoteHosts } from './open-remote-hosts.ts'

export type OpenHosts = {
  pool: pg.Pool
  tokenKeys: TokenKeys
  publicUrl: string
  blobs: BlobStore
  clock: Clock
  remoteHosts: RemoteHosts
  lookup: Lookup
  /** Who else may read the repositories, by group. Needs root. */
  readableBy?: { gid: number }
}

/** The code hosts of all repositories. */
export function openHosts(config: Config, input: OpenHosts): CodeHosts {
  const { pool, publicUrl, blobs, clock, remoteHosts, lookup, readableBy } = input
  const { dataDir, gitDir, gitUrl, importPaths, importBytes: importBytesMax, privateHosts } = config
  const folder = gitUrl ? path.join(dataDir, 'mirrors') : (gitDir ?? path.join(dataDir, 'git'))
  const takeBytes = takeBytesOf(pool, { isElsewhere: gitUrl !== null })
  const options = { folder, importPaths, importBytesMax, takeBytes, privateHosts, lookup }
  const local = openLocalHost({ ...options, ...(readableBy && { readableBy }) })
  const git = openBuiltinStore(config, { ...input, folder, local })
  const requireHeld = async ({ organizationId }: RepoRef, { runId, leaseId }: OpenPull) => {
    if (leaseId !== undefined && !(await stillHeld(pool, { organizationId, runId, leaseId })))
      throw new LeaseLost(runId)
  }
  const recordPull = (repo: RepoRef, pull: HostPull, runId: number) =>
    saveHostPull(pool, { ...placeOf(repo), pull, runId })
  // A run's first look at a large repository is none of what the run takes up.
  const take = ({ organizationId, path: at }: RepoRef, bytes: number) =>
    takeBytes({ organizationId, path: at }, { bytes })
  const over = { local, folder, take, requireHeld, recordPull }
  const hosts = new Map([
    ['local', { git, forge: builtinForge(pool, { publicUrl, git, admin: local, blobs, clock }) }],
    ...Object.entries(remoteHosts).map(([kind, remote]) => [kind, openRemote(remote, over)] as const),
  ])
  return pickByPath(hosts, local)
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
function openBuiltinStore(
  { gitUrl }: Config,
  { pool, tokenKeys, lookup, folder, local }: OpenHosts & { folder: string; local: LocalHost },
): GitStore {
  if (!gitUrl) return local
  const dialer = new Dialer({ privateHosts: [new URL(gitUrl).hostname], lookup })
  return openMirrored(local, {
    folder,
    dial: (request) => dialer.send(request),
    openAccess: async (repo) => {
      const { organizationId, holder } = repo
      const access = holder
        ? await openGitAccess(pool, tokenKeys, { organizationId, ...holder })
        : await openReadingAccess(pool, tokenKeys, placeOf(repo))
      return { address: gitUrl + access.path, secret: access.secret }
    },
  })
}
