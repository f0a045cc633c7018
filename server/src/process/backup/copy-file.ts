import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { BackupError } from './backup-error.ts'

export type Copied = { bytes: number; sha256: string }

/** Copies what a stream gives to a new file, onto the disk, and says what it was. Holds a piece of it at a time. */
export async function copyToFile(content: Readable, target: string, { mode = 0o600 } = {}): Promise<Copied> {
  await mkdir(path.dirname(target), { recursive: true })
  const hash = createHash('sha256')
  let bytes = 0
  await using handle = await open(target, 'wx', mode)
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      await handle.writeFile(chunk)
    }
    await handle.datasync()
  } catch (error) {
    await rm(target)
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * A file that is itself one, below folders that are: what leads elsewhere is not read. The folder of the backup must be named without
 * symbolic links.
 */
export async function openPlainFile(file: string): Promise<Readable> {
  const real = await realpath(file).catch((error: Error) => {
    throw new BackupError(`${file} cannot be read: ${error.message}`, { cause: error })
  })
  if (real !== file) throw new BackupError(`${file} leads elsewhere, and a backup has no symbolic links.`)
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (!(await handle.stat()).isFile()) {
    await handle.close()
    throw new BackupError(`${file} is no file.`)
  }
  return handle.createReadStream({ highWaterMark: 256 * 1024 })
}

/** What a file of a backup is, read to its end. */
export async function measureFile(file: string): Promise<Copied> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of (await openPlainFile(file)) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
