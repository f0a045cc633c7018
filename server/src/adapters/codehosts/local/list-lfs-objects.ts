import { opendir } from 'node:fs/promises'
import path from 'node:path'
import { findLfsObject } from './find-lfs-object.ts'

export type LfsObject = { oid: string; bytes: number; file: string }

/** The large files of a repository, whether a commit names them or not. */
export async function* listLfsObjects(repository: string): AsyncGenerator<LfsObject> {
  const top = path.join(repository, 'lfs', 'objects')
  for await (const oid of namesBelow(top, 2)) {
    const object = /^[0-9a-f]{64}$/.test(oid) ? await findLfsObject(repository, oid) : null
    if (object) yield { oid, ...object }
  }
}

async function* namesBelow(folder: string, depth: number): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!entries) return
  for await (const { name } of entries) {
    if (depth > 0) yield* namesBelow(path.join(folder, name), depth - 1)
    else yield name
  }
}
