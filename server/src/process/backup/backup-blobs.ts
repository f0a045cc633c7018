import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { blobPath, parseBlobPath } from '#adapters/blobs/blob-path.ts'
import type { BlobKey, BlobStore } from '#adapters/blobs/blob-store.ts'
import { listKeptBlobs } from '#domain/runs/blobs/list-kept-blobs.ts'
import { BackupError } from './backup-error.ts'
import { copyToFile } from './copy-file.ts'
import type { FileListWriter } from './file-list.ts'

/** What is known of blobs while a backup is made; no part of it. */
const todoFile = (folder: string) => path.join(folder, 'blobs.todo')

/** Writes down which blobs there are, so that the snapshot need not last until they are copied. */
export async function noteBlobs(snapshot: pg.ClientBase, folder: string): Promise<void> {
  const lines = async function* () {
    for await (const page of listKeptBlobs(snapshot))
      yield page.map((blob) => `${blob.isNamed ? '!' : '?'}${blobPath(blob)}\n`).join('')
  }
  await pipeline(Readable.from(lines()), createWriteStream(todoFile(folder), { flags: 'wx', mode: 0o600 }))
}

/** `blobs`: null where they are not to be in it. */
type CopyBlobs = { blobs: BlobStore | null; files: FileListWriter; signal: AbortSignal }

/** Copies them; answers how many there are, and how many are missing although a row refers to them. */
export async function copyBlobs(
  folder: string,
  { blobs, files, signal }: CopyBlobs,
): Promise<{ copied: number; missing: number }> {
  let [copied, missing] = [0, 0]
  for await (const line of blobs ? createInterface({ input: createReadStream(todoFile(folder)) }) : []) {
    signal.throwIfAborted()
    const key = parseBlobPath(line.slice(1))
    if (!key || !blobs) continue
    if (await copyBlob(folder, { key, blobs, files })) copied++
    // Of what no row refers to the bytes may still be on their way.
    else if (line.startsWith('!')) missing++
  }
  await rm(todoFile(folder))
  return { copied, missing }
}

type CopyBlob = { key: BlobKey; blobs: BlobStore; files: FileListWriter }

async function copyBlob(folder: string, { key, blobs, files }: CopyBlob): Promise<boolean> {
  const found = await blobs.open(key)
  if (!found) return false
  const name = `blobs/${blobPath(key)}`
  const copied = await copyToFile(found.content, path.join(folder, name))
  if (copied.sha256 !== key.sha256)
    throw new BackupError(
      `The blob ${blobPath(key)} is damaged in the store of files. Restore it from an older backup, or remove the file.`,
    )
  await files.add({ path: name, ...copied })
  return true
}
