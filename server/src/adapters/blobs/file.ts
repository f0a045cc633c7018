import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { blobPath, parseBlobPath } from './blob-path.ts'
import {
  BlobDamaged,
  BlobsUnavailable,
  type BlobContent,
  type BlobKey,
  type BlobStore,
  type ListedBlob,
} from './blob-store.ts'
import { digestOf } from './digest-of.ts'

/** What a process that died while it stored something left unfinished is removed after this. */
const abandonedMs = 24 * 60 * 60_000

/** Blobs in a folder that all processes of the service see. */
export function openFileBlobs({ folder }: { folder: string }): BlobStore {
  const fileOf = (key: BlobKey) => path.join(folder, blobPath(key))
  return {
    put: (organizationId, content) => put(folder, organizationId, content),
    get: async (key) => readWhole(key, fileOf(key)),
    open: async (key) => openBlob(fileOf(key)),
    delete: async (key) => rm(fileOf(key), { force: true }),
    list: () => list(folder),
    probe: () => probe(folder),
  }
}

async function put(folder: string, organizationId: number, content: BlobContent) {
  const stored = await digestOf(content)
  const file = path.join(folder, blobPath({ organizationId, sha256: stored.sha256 }))
  if ((await stat(file).catch(absent))?.size === stored.bytes) {
    // Young again, so that no sweep takes it for forgotten before it is named.
    const isThere = await utimes(file, new Date(), new Date()).then(() => true, absent)
    if (isThere) return stored
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  // Whole under its name or not at all: a reader never sees the beginning of a blob.
  const unfinished = `${file}.${randomUUID()}`
  try {
    await write(unfinished, content)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return stored
}

async function write(file: string, content: BlobContent): Promise<void> {
  const isInMemory = content instanceof Uint8Array
  if (!isInMemory) await copyFile(content.file, file, constants.COPYFILE_EXCL)
  const handle = await open(file, isInMemory ? 'wx' : 'r+', 0o600)
  try {
    if (isInMemory) await handle.writeFile(content)
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readWhole(key: BlobKey, file: string): Promise<Buffer | undefined> {
  const bytes = await readFile(file).catch(absent)
  if (bytes && (await digestOf(bytes)).sha256 !== key.sha256) throw new BlobDamaged(key)
  return bytes
}

async function openBlob(file: string) {
  const handle = await open(file, 'r').catch(absent)
  if (!handle) return undefined
  const { size } = await handle.stat()
  return { bytes: size, content: handle.createReadStream() }
}

async function* list(folder: string): AsyncGenerator<ListedBlob> {
  for (const organization of await namesIn(folder)) {
    for (const digits of await namesIn(path.join(folder, organization))) {
      for (const name of await namesIn(path.join(folder, organization, digits))) {
        const file = path.join(folder, organization, digits, name)
        const found = await stat(file).catch(absent)
        if (!found?.isFile()) continue
        const key = parseBlobPath(`${organization}/${digits}/${name}`)
        if (key) yield { ...key, bytes: found.size, storedAt: found.mtime }
        else if (isUnfinished(name) && Date.now() - found.mtimeMs > abandonedMs) await rm(file, { force: true })
      }
    }
  }
}

const isUnfinished = (name: string) => /^[0-9a-f]{64}\.[0-9a-f-]{36}$/.test(name)

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

async function probe(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new BlobsUnavailable(`The folder of blobs ${folder} cannot be written: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
