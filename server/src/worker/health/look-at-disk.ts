import { randomUUID } from 'node:crypto'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App } from '#app/app.ts'
import { faultOfError } from './fault-of-error.ts'
import { healthLimits } from './health-limits.ts'
import { NodeUnfit } from './node-unfit.ts'

type OnDisk = Pick<App, 'config' | 'temporaryFolder'>

/** Folders that this process writes to, of which some may be on disks of their own. */
export function foldersOnDisk({ config, temporaryFolder }: OnDisk): string[] {
  return [
    config.dataDir,
    temporaryFolder,
    ...(config.gitDir && !config.gitUrl ? [config.gitDir] : []),
    ...(config.databaseUrl ? [] : [path.join(config.dataDir, 'postgres')]),
    ...(config.blobs.kind === 'folder' ? [config.blobs.folder] : []),
  ]
}

/** Rejects with a `NodeUnfit` where a disk is full, cannot be written, or holds something else than it should. */
export async function lookAtDisk({ config, temporaryFolder }: OnDisk): Promise<void> {
  for (const folder of foldersOnDisk({ config, temporaryFolder })) await requireRoom(folder)
  await requireFolder(path.join(config.dataDir, 'sandboxes'))
  await requireWritable(temporaryFolder)
}

async function requireRoom(folder: string): Promise<void> {
  const found = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    // Made when something is first stored there.
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) return
  const { bavail, bsize, files, ffree } = found
  const mebibytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
  if (bavail * bsize < healthLimits.freeBytesMin)
    throw new NodeUnfit(
      'disk_full',
      `${mebibytes(bavail * bsize)} MiB are free in ${folder}; a worker takes runs from ${mebibytes(healthLimits.freeBytesMin)} MiB on.`,
    )
  // Some file systems do not count files.
  if (files > 0 && ffree < healthLimits.freeFilesMin)
    throw new NodeUnfit('disk_full', `${ffree} more files can be made in ${folder}, and a run needs many.`)
}

/** One that is not there yet is made with the first sandbox. */
async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found && !found.isDirectory()) throw new NodeUnfit('disk_fault', `${folder} is no folder.`)
}

/** A disk may have room and take nothing: mounted read-only after a fault, or over a quota. */
async function requireWritable(folder: string): Promise<void> {
  const file = path.join(folder, `health-${randomUUID()}`)
  try {
    await writeFile(file, 'fit', { flag: 'wx' })
  } catch (error) {
    const fault = faultOfError(error) ?? 'disk_fault'
    throw new NodeUnfit(fault, `${folder} cannot be written: ${(error as Error).message}`, { cause: error })
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
}
