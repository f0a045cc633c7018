import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { openFileBlobs } from '#adapters/blobs/file.ts'

/** A store of blobs in a folder of its own, removed after the file's tests. Call at the top of a file. */
export function testBlobs(): BlobStore {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-blobs-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return openFileBlobs({ folder })
}
