import path from 'node:path'
import type pg from 'pg'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { openDispatchingHost } from '#adapters/codehosts/dispatching.ts'
import { openLocalHost, type LocalHost } from '#adapters/codehosts/local/local.ts'
import { openMirroredHost } from '#adapters/codehosts/local/mirrored.ts'
import type { Config } from '#base/config.ts'
import { openPull, type OpenPull } from '#domain/pulls/open-pull.ts'
import { openGitAccess } from '#domain/tokens/open-git-access.ts'
import type { TokenKeys } from '#domain/tokens/token-keys.ts'
import { localTalk } from './local-talk.ts'

export type OpenHost = {
  pool: pg.Pool
  tokenKeys: TokenKeys
  publicUrl: () => string
  blobs: BlobStore
  /** Who else may read the repositories, by group. Needs root. */
  readableBy?: { gid: number }
}

/** The code hosts of all repositories. Which one it is each repository says itself. */
export function openHost(config: Config, given: OpenHost): LocalHost {
  const host: LocalHost = openDispatchingHost(openBuiltIn(config, { ...given, store: () => host }), {})
  return host
}

/** The repositories themselves; or, where they lie behind the door of another machine, mirrors of them. */
function openBuiltIn(config: Config, given: OpenHost & { store: () => LocalHost }): LocalHost {
  const { pool, tokenKeys, publicUrl, blobs, readableBy, store } = given
  const { gitUrl } = config
  const options = {
    folder: gitUrl ? path.join(config.dataDir, 'mirrors') : (config.gitDir ?? path.join(config.dataDir, 'git')),
    ...(readableBy && { readableBy }),
    importPaths: config.importPaths,
    privateHosts: config.privateHosts,
    pulls: { openPull: (pull: Omit<OpenPull, 'publicUrl'>) => openPull(pool, { ...pull, publicUrl: publicUrl() }) },
    talk: localTalk(pool, { publicUrl, store, blobs }),
  }
  if (!gitUrl) return openLocalHost(options)
  return openMirroredHost({
    ...options,
    openAccess: async ({ organizationId, holder }) => {
      if (!holder) throw new Error('only a run that is held reaches a repository through the door')
      const access = await openGitAccess(pool, tokenKeys, { organizationId, ...holder })
      return { address: gitUrl + access.path, secret: access.secret }
    },
  })
}
