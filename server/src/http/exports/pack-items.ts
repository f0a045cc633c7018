import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack as openPack, type Pack } from 'tar-stream'

/** A file of an archive. It has exactly so many bytes. */
export type ArchiveItem = { name: string; bytes: number; content: Uint8Array | AsyncIterable<Uint8Array> }

export type PackItems = { items: AsyncIterable<ArchiveItem>; at: Date; onError: (error: Error) => void }

/**
 * A `.tar.gz` of these files, which are asked for as their reader takes them. Where one of them fails the stream breaks off and never ends, so
 * that its reader sees that it is cut. Once the stream is closed no more files are asked for.
 */
export function packItems({ items, at, onError }: PackItems): Readable {
  const pack = openPack()
  const gzip = createGzip({ level: 1 })
  void pipeline(pack, gzip).catch((error: Error) => gzip.destroy(error))
  void fill(pack, { items, at }).catch((error: Error & { code?: string }) => {
    // Of a stream that its reader has closed that is no more than the consequence.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error)
    gzip.destroy(error)
  })
  return gzip
}

async function fill(pack: Pack, { items, at }: Pick<PackItems, 'items' | 'at'>): Promise<void> {
  for await (const { name, bytes, content } of items) {
    const file: NodeJS.WritableStream | undefined = pack.entry({ name, size: bytes, mtime: at, mode: 0o644 })
    // It is closed: nobody reads any more.
    if (!file) return
    const chunks = exactly(content instanceof Uint8Array ? [content] : content, { name, bytes })
    await pipeline(Readable.from(chunks), file)
  }
  pack.finalize()
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** An archive says how long a file is before it has it. */
async function* exactly(
  content: Chunks,
  { name, bytes }: Pick<ArchiveItem, 'name' | 'bytes'>,
): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of content) {
    left -= chunk.length
    yield chunk
  }
  if (left !== 0) throw new Error(`${name} has ${bytes - left} bytes, not ${bytes}`)
}
