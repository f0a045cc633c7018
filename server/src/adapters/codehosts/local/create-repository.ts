import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import { exists, folderOf, initRepository, makeStaging } from './repository-folder.ts'

/** Makes an empty bare repository; one that is there already stays as it is. */
export async function createRepository(root: string, repo: RepoRef, defaultBranch: string): Promise<void> {
  const folder = folderOf(root, repo)
  if (await exists(path.join(folder, 'HEAD'))) return
  const staging = await makeStaging(path.dirname(folder), '.new-')
  try {
    await initRepository(staging, defaultBranch)
    await putInPlace(staging, folder)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function putInPlace(staging: string, folder: string): Promise<void> {
  try {
    await rename(staging, folder)
  } catch (error) {
    // Two were at it, and the other was first.
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
}
