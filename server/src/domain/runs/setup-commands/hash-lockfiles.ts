import { createHash } from 'node:crypto'
import { setupLimits } from '#base/setup-limits.ts'

/** What reads files of commits: the code host. */
export type FileStore<Ref> = {
  readFile(repo: Ref, file: { path: string; commit: string; bytesMax: number }): Promise<Buffer | null>
}

export type HashLockfiles<Ref> = { store: FileStore<Ref>; repo: Ref; commit: string; paths: readonly string[] }

/** Digests of files as they are in a commit; of one that is not there, an empty text. */
export async function hashLockfiles<Ref>({
  store,
  repo,
  commit,
  paths,
}: HashLockfiles<Ref>): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const path of paths.slice(0, setupLimits.lockfilesMax)) {
    const bytes = await store.readFile(repo, { path, commit, bytesMax: setupLimits.lockfileBytesMax })
    hashes[path] = bytes === null ? '' : createHash('sha256').update(bytes).digest('hex')
  }
  return hashes
}
