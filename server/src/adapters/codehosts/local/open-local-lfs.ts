import path from 'node:path'
import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { FairTurns } from '#base/concurrency/fair-turns.ts'
import type { LfsPointer, LfsStore } from '#adapters/codehosts/lfs-store.ts'
import { findLfsObject } from './find-lfs-object.ts'
import { listLfsFiles } from './list-lfs-files.ts'
import { makeReadableFolder } from './repository-folder.ts'
import { storeLfsObject } from './store-lfs-object.ts'

export type OpenLocalLfs = {
  folderOf: (repo: RepoRef) => Promise<string>
  /** Works when it is its turn among those of its kind. */
  inTurn: <T>(
    turns: FairTurns,
    repo: RepoRef,
    work: (repository: string) => Promise<T>,
    signal?: AbortSignal,
  ) => Promise<T>
  lines: { looking: FairTurns; packs: FairTurns }
}

/** Large files in the folders of their repositories. */
export function openLocalLfs({ folderOf, inTurn, lines }: OpenLocalLfs): LfsStore {
  const find = async (repo: RepoRef, pointers: readonly LfsPointer[]) => {
    const repository = await folderOf(repo)
    const found = await Promise.all(pointers.map(({ oid }) => findLfsObject(repository, oid)))
    return new Map(pointers.flatMap(({ oid }, n) => (found[n] ? [[oid, found[n].bytes]] : [])))
  }
  return {
    find,
    list: (repo, of) => inTurn(lines.looking, repo, (repository) => listLfsFiles(repository, of)),
    bring: async (repo, pointers) => {
      const folder = path.join(await folderOf(repo), 'lfs')
      await makeReadableFolder(folder)
      const found = await find(repo, pointers)
      const here = pointers.filter(({ oid, bytes }) => found.get(oid) === bytes)
      return { folder, here: new Set(here.map(({ oid }) => oid)) }
    },
    open: async (repo, { oid }) => findLfsObject(await folderOf(repo), oid),
    put: (repo, object) => inTurn(lines.packs, repo, (repository) => storeLfsObject(repository, object), object.signal),
  }
}
