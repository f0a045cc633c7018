import { createHash } from 'node:crypto'
import { SandboxFileError, type Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { decodeFile, type DecodedFile } from './decode-file.ts'
import { ToolFailure } from './tool.ts'

/** What stands between two places of the text before, and what comes in its stead. */
export type Change = { start: number; end: number; text: string }

/** The largest file that is read or written whole; more is for `shell`. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024

/** The longest text of a new file in one call. */
export const CONTENT_BYTES_MAX = 1024 * 1024

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export function hasCrlf(text: string): boolean {
  return text.includes('\r\n') && !/[^\r]\n/.test(text)
}

/** A file that is to be changed; null when there is none. */
export async function readForChange(
  sandbox: Sandbox,
  file: { absolute: string; shown: string },
): Promise<(DecodedFile & { bytes: Buffer }) | null> {
  const bytes = await readBytes(sandbox, file.absolute)
  if (bytes === null) return null
  const decoded = decodeFile(bytes)
  if (!decoded) throw new ToolFailure(`${file.shown} is a binary file: change it with a command.`)
  return { ...decoded, bytes }
}

/** The bytes of a text in the encoding of a file, or a failure that names it. */
export function encodeFor(file: { shown: string }, { encode, encoding }: DecodedFile, text: string): Buffer {
  const encoded = encode(text)
  if (Buffer.isBuffer(encoded)) return encoded
  const { unfit } = encoded
  const reason =
    unfit === '\ufffd'
      ? `in which \ufffd stands for bytes that are no text: leave it out, or change the file with a command`
      : `which has no ${unfit} (U+${unfit.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}): put it otherwise, or convert the file with iconv first`
  throw new ToolFailure(`${file.shown} is in ${encoding}, ${reason}. Nothing was changed.`)
}

/** All bytes outside of the changes are those of the file. */
export function changedBytes(
  file: { shown: string },
  read: DecodedFile & { bytes: Buffer },
  changes: Change[],
): Buffer {
  const pieces: Buffer[] = []
  let end = 0
  for (const change of changes) {
    pieces.push(read.bytes.subarray(end, read.byteAt(change.start)), encodeFor(file, read, change.text))
    end = read.byteAt(change.end)
  }
  return Buffer.concat([...pieces, read.bytes.subarray(end)])
}

async function readBytes(sandbox: Sandbox, absolute: string): Promise<Buffer | null> {
  try {
    return await sandbox.readFile(absolute, { bytesMax: FILE_BYTES_MAX })
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return null
    throw error
  }
}

export function isFileError(error: unknown, code: string): boolean {
  return error instanceof SandboxFileError && error.code === code
}
