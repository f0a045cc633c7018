import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'

/** What time a repository's file system has, in milliseconds: machines that share one may have other clocks. */
export async function fileTime(repository: string): Promise<number> {
  // Named like what Git makes for a moment, so it is taken away where this process does not come to it.
  const file = path.join(repository, 'objects', `tmp_time_${randomUUID()}`)
  await using handle = await open(file, 'wx')
  await rm(file)
  return (await handle.stat()).mtimeMs
}
