import { open, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { fileTime } from './file-time.ts'

/**
 * Lets one process at a time put a repository in order, of all that share its folder: `git maintenance` takes the same file.
 * Undefined where another one is at it. A process that was killed holds it no more once its file has grown old.
 */
export async function holdRepository<T>(repository: string, work: () => Promise<T>): Promise<T | undefined> {
  const file = path.join(repository, 'objects', 'maintenance.lock')
  const own = await take(repository, file)
  if (own === undefined) return undefined
  const renewing = setInterval(() => void renew(repository, file).catch(() => {}), gitLimits.maintenanceHeldMs / 8)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
    if ((await find(file))?.ino === own) await rm(file, { force: true })
  }
}

/** Should two find the same old file at once, both may hold it: then git does some work twice, and loses nothing. */
async function take(repository: string, file: string): Promise<number | undefined> {
  const made = await create(file)
  if (made !== undefined) return made
  const found = await find(file)
  if (found && (await fileTime(repository)) - found.mtimeMs < gitLimits.maintenanceHeldMs) return undefined
  await rm(file, { force: true })
  return create(file)
}

/** Empty, as it counts as a part of the repository. */
async function create(file: string): Promise<number | undefined> {
  try {
    await using handle = await open(file, 'wx')
    return (await handle.stat()).ino
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

const find = (file: string) => stat(file).catch(() => undefined)

async function renew(repository: string, file: string): Promise<void> {
  const now = new Date(await fileTime(repository))
  await utimes(file, now, now)
}
