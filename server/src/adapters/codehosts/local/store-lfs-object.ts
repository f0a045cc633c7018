import { createHash } from 'node:crypto'
import { open, rename, rm, statfs, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { PutLfsObject } from '#adapters/codehosts/lfs-store.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { findLfsObject, lfsFileOf } from './find-lfs-object.ts'
import { makeQuarantine } from './quarantine.ts'
import { makeReadableFolder } from './repository-folder.ts'

/** Takes in one large file as it comes, beside the repositories; it enters its own by one rename, whole and on the disk. */
export async function storeLfsObject(repository: string, object: PutLfsObject): Promise<void> {
  const { oid, bytes, take } = object
  const file = lfsFileOf(repository, oid)
  if (await findLfsObject(repository, oid)) return
  if (bytes > lfsLimits.objectBytesMax)
    throw new HostError('too_large', `A file may have ${lfsLimits.objectBytesMax / 2 ** 20} MiB, and this has more.`)
  const quarantine = await makeQuarantine(repository)
  try {
    await requireDisk(quarantine, bytes)
    const incoming = path.join(quarantine, oid)
    await receive(incoming, object)
    const full = await take(bytes)
    if (full !== null) throw new HostError('storage_full', full)
    await makeFolders(repository, path.dirname(file))
    await rename(incoming, file)
    await using folder = await open(path.dirname(file))
    await folder.sync()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    throw new HostError('storage_full', noDisk, { cause: error })
  } finally {
    await rm(quarantine, { recursive: true, force: true })
  }
}

/** Readable as the repository is: sandboxes are shown what they lie in. */
async function makeFolders(repository: string, folder: string): Promise<void> {
  if (folder === repository) return
  await makeFolders(repository, path.dirname(folder))
  await makeReadableFolder(folder)
}

const noDisk = 'The disk of the service has no room for it. Its operator has to make some.'

/** Who claims more than there is need not send it. */
async function requireDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes + lfsLimits.diskBytesLeft) throw new HostError('storage_full', noDisk)
}

async function receive(incoming: string, object: PutLfsObject): Promise<void> {
  await using handle = await open(incoming, 'wx', 0o600)
  await write(handle, object)
  await handle.chmod(0o644)
  await handle.sync()
}

async function write(handle: FileHandle, { oid, bytes, body, inspect, signal }: PutLfsObject): Promise<void> {
  const hash = createHash('sha256')
  let come = 0
  for await (const chunk of body) {
    signal?.throwIfAborted()
    come += chunk.length
    if (come > bytes) throw new HostError('invalid', `The file was to have ${bytes} bytes, and more came.`)
    hash.update(chunk)
    inspect?.write(chunk)
    await handle.writeFile(chunk)
  }
  signal?.throwIfAborted()
  if (come !== bytes) throw new HostError('invalid', `The file was to have ${bytes} bytes, and ${come} came.`)
  const found = hash.digest('hex')
  if (found !== oid) throw new HostError('invalid', `The content has the SHA-256 ${found}, and not ${oid}.`)
  const against = (await inspect?.end()) ?? null
  if (against !== null) throw new HostError('invalid', against)
}
