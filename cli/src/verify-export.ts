import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UsageError } from './settings.ts'

const blockBytes = 512

/** Reads an export to its end. Throws a `UsageError` where it is cut off: then its last file is not the manifest. */
export async function verifyExport(file: string): Promise<void> {
  let last = ''
  try {
    await pipeline(createReadStream(file), createGunzip(), async (content: AsyncIterable<Buffer>) => {
      for await (const name of namesIn(content)) last = name
    })
  } catch (error) {
    throw new UsageError(`The export is cut off or damaged. Try again. (${(error as Error).message})`)
  }
  if (last !== 'manifest.json') throw new UsageError('The export is cut off: its manifest is missing. Try again.')
}

/** The names of the files of a tar archive, of which no more than a block is held. */
async function* namesIn(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let head = Buffer.alloc(0)
  let skipped = 0
  for await (let chunk of content) {
    while (chunk.length > 0) {
      const skip = Math.min(skipped, chunk.length)
      skipped -= skip
      chunk = chunk.subarray(skip)
      const missing = blockBytes - head.length
      head = Buffer.concat([head, chunk.subarray(0, missing)])
      chunk = chunk.subarray(missing)
      if (head.length < blockBytes) continue
      const bytes = parseInt(textAt(head, 124, 12), 8)
      const name = textAt(head, 0, 100)
      head = Buffer.alloc(0)
      // Blocks of zeros are the end.
      if (name === '') continue
      if (!Number.isSafeInteger(bytes)) throw new Error('it is no archive')
      skipped = Math.ceil(bytes / blockBytes) * blockBytes
      yield name
    }
  }
  if (head.length || skipped) throw new Error('its last file has no end')
}

const textAt = (block: Buffer, from: number, length: number) =>
  block.toString('latin1', from, from + length).split('\0')[0]!
