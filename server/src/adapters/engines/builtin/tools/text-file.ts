import { createHash } from 'node:crypto'
import { SandboxFileError, type Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { ToolFailure } from './tool.ts'

/** The largest file that is read or written whole; more is for `shell`. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

export function hasCrlf(text: string): boolean {
  return text.includes('\r\n') && !/[^\r]\n/.test(text)
}

/** The text of a file that is to be changed; null when there is none. */
export async function readText(sandbox: Sandbox, file: { absolute: string; shown: string }): Promise<string | null> {
  const bytes = await readBytes(sandbox, file.absolute)
  if (bytes === null) return null
  if (isBinary(bytes)) throw new ToolFailure(`${file.shown} is a binary file: change it with a command.`)
  return bytes.toString('utf8')
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
