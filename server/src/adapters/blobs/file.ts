import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BlobKey, BlobStore } from './blob-store.ts'

/** Blobs in a folder that all processes of the service see: `<folder>/<organization>/<2 digits>/<sha256>`. */
export function openFileBlobs({ folder }: { folder: string }): BlobStore {
  return {
    put: (organizationId, bytes) => put(folder, organizationId, bytes),
    get: (key) => readFile(fileOf(folder, key)).catch(absent),
    open: (key) => openBlob(fileOf(folder, key)),
  }
}

async function put(folder: string, organizationId: number, bytes: Uint8Array) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = fileOf(folder, { organizationId, sha256 })
  const stored = { sha256, bytes: bytes.length }
  if ((await stat(file).catch(absent))?.size === bytes.length) return stored
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  // Whole under its name or not at all: a reader never sees the beginning of a blob.
  const unfinished = `${file}.${randomUUID()}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return stored
}

async function openBlob(file: string) {
  const handle = await open(file, 'r').catch(absent)
  if (!handle) return undefined
  const { size } = await handle.stat()
  return { bytes: size, content: handle.createReadStream() }
}

function fileOf(folder: string, { organizationId, sha256 }: BlobKey): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError(`not the name of a blob: ${sha256.slice(0, 100)}`)
  return path.join(folder, String(organizationId), sha256.slice(0, 2), sha256)
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
