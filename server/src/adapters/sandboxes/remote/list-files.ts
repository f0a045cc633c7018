import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'

/** `[path, what it is]`: of a file its size and when it was written, of a link where it leads. Two that are equal hold the same. */
export type ListedFile = [path: string, facts: string]

/** How many are looked at at once. */
const AT_ONCE = 64

/** All files, folders and links below a folder, in an order that is always the same. */
export async function listFiles(folder: string): Promise<ListedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const listed: ListedFile[] = []
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const some = entries.slice(at, at + AT_ONCE)
    listed.push(...(await Promise.all(some.map((entry) => describe(folder, entry)))))
  }
  return listed.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

async function describe(folder: string, entry: Dirent): Promise<ListedFile> {
  const file = path.join(entry.parentPath, entry.name)
  const name = path.relative(folder, file)
  if (entry.isDirectory()) return [name, 'folder']
  if (entry.isSymbolicLink()) return [name, `link ${await readlink(file)}`]
  const { size, mtimeMs, mode } = await lstat(file)
  // Seconds, as archives keep no more.
  return [name, `file ${size} ${Math.floor(mtimeMs / 1_000)} ${(mode & 0o111).toString(8)}`]
}

/** Names what a folder holds. */
export const digestOfFiles = (files: readonly ListedFile[]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex')
