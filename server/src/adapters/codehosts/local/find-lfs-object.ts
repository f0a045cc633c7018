import { stat } from 'node:fs/promises'
import path from 'node:path'
import { HostError } from '#adapters/codehosts/code-host.ts'

/** Below the repository, so that it is copied, moved and removed with it; in the folders that Git LFS itself uses. */
export function lfsFileOf(repository: string, oid: string): string {
  if (!/^[0-9a-f]{64}$/.test(oid)) throw new HostError('invalid', 'An object is named by its SHA-256, in hex.')
  return path.join(repository, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid)
}

/** Null where there is none. What is there is whole. */
export async function findLfsObject(repository: string, oid: string): Promise<{ file: string; bytes: number } | null> {
  const file = lfsFileOf(repository, oid)
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return found?.isFile() ? { file, bytes: found.size } : null
}
