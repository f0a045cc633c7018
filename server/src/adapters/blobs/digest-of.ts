import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { BlobContent } from './blob-store.ts'

/** What bytes are called, and how many they are. */
export async function digestOf(content: BlobContent): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const chunks = content instanceof Uint8Array ? [content] : createReadStream(content.file)
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
