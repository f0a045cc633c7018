import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { LfsStore, PutLfsObject } from '#adapters/codehosts/lfs-store.ts'
import { findLfsObject } from './find-lfs-object.ts'
import { storeLfsObject } from './store-lfs-object.ts'

/** Large files in the folders of their repositories. `receive`: has its turn among all that comes in. */
export function openLocalLfs(
  folderOf: (repo: RepoRef) => Promise<string>,
  receive: (repo: RepoRef, work: (repository: string) => Promise<void>, signal?: AbortSignal) => Promise<void>,
): LfsStore {
  return {
    find: async (repo, pointers) => {
      const repository = await folderOf(repo)
      const found = await Promise.all(pointers.map(({ oid }) => findLfsObject(repository, oid)))
      return new Map(pointers.flatMap(({ oid }, n) => (found[n] ? [[oid, found[n].bytes]] : [])))
    },
    open: async (repo, { oid }) => findLfsObject(await folderOf(repo), oid),
    put: (repo, object: PutLfsObject) =>
      receive(repo, (repository) => storeLfsObject(repository, object), object.signal),
  }
}
