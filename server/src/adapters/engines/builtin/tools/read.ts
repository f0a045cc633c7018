import path from 'node:path'
import { z } from 'zod'
import { linesOf } from '#base/text/lines-of.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { listFolder } from './list.ts'
import { resolvePath, type ResolvedPath } from './resolve-path.ts'
import { decodeFile, type DecodedFile } from './decode-file.ts'
import { FILE_BYTES_MAX, hashOf, isFileError } from './text-file.ts'
import { defineTool, ToolFailure, type ToolContext, type ToolResult } from './tool.ts'

const LINES_MAX = 2_000
/** Given because some providers stumble over the bound that a schema has without it. */
const LINE_NUMBER_MAX = 100_000_000
const CHARACTERS_MAX = 48_000
const LINE_CHARACTERS_MAX = 1_000
/** Base64 of a larger image would fill the model's window. */
const IMAGE_BYTES_MAX = 1024 * 1024
const IMAGE_TYPES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

type Range = { start_line?: number | undefined; end_line?: number | undefined }

export const readTool = defineTool({
  name: 'read',
  description:
    `Read a file with line numbers, at most ${LINES_MAX} lines and ${CHARACTERS_MAX} characters at once; start_line goes on. ` +
    'The number and the tab before each line are not part of the file. A folder is listed; an image is shown.',
  schema: z.strictObject({
    path: z.string().min(1).describe('Relative to the workspace'),
    start_line: z.int().min(1).max(LINE_NUMBER_MAX).optional(),
    end_line: z.int().min(1).max(LINE_NUMBER_MAX).optional(),
  }),
  isReadOnly: true,
  isFromOutside: true,
  async run({ path: asked, ...range }, context) {
    const file = resolvePath(context.sandbox.paths, asked)
    const bytes = await bytesOrNull(context.sandbox, file)
    if (bytes === null) return listFolder({ path: asked }, context)
    const mediaType = IMAGE_TYPES[path.extname(file.shown).toLowerCase()]
    if (mediaType) return showImage(file, bytes, mediaType, context)
    const decoded = decodeFile(bytes)
    if (!decoded) {
      const text = `${file.shown} is a binary file of ${bytes.length} bytes. Look at it with a command, such as file or xxd.`
      return { text, output: { path: file.shown, binary: true, bytes: bytes.length } }
    }
    return showLines(file, { ...decoded, hash: hashOf(bytes) }, range)
  },
})

/** Null for a folder. */
async function bytesOrNull(sandbox: Sandbox, file: ResolvedPath): Promise<Buffer | null> {
  try {
    return await sandbox.readFile(file.absolute, { bytesMax: FILE_BYTES_MAX })
  } catch (error) {
    if (isFileError(error, 'EISDIR')) return null
    throw error
  }
}

function showImage(file: ResolvedPath, bytes: Buffer, mediaType: string, { canSeeImages }: ToolContext): ToolResult {
  const output = { path: file.shown, media_type: mediaType, bytes: bytes.length }
  if (!canSeeImages)
    return { text: `[${mediaType}, ${bytes.length} bytes; images cannot be shown to this model]`, output }
  if (bytes.length > IMAGE_BYTES_MAX) {
    return {
      text: `[${mediaType}, ${bytes.length} bytes; more than the ${IMAGE_BYTES_MAX} that are shown: scale it down]`,
      output,
    }
  }
  return { text: `[${file.shown}, ${mediaType}]`, output, image: { mediaType, base64: bytes.toString('base64') } }
}

function showLines(
  file: ResolvedPath,
  read: DecodedFile & { hash: string },
  { start_line: start = 1, end_line }: Range,
): ToolResult {
  const isMac = !read.text.includes('\n')
  const lines = linesOf(isMac ? read.text.replaceAll('\r', '\n') : read.text)
  const total = lines.length
  const seen = { path: file.absolute, hash: read.hash }
  if (total === 0) return { text: '[the file is empty]', output: { path: file.shown, start: 0, end: 0, total }, seen }
  if (start > total) {
    throw new ToolFailure(
      `start_line is ${start}, but ${file.shown} has ${total} lines. Ask for a line up to ${total}.`,
    )
  }
  if (end_line !== undefined && end_line < start) throw new ToolFailure('end_line lies before start_line.')
  const last = Math.min(end_line ?? total, total, start + LINES_MAX - 1)
  const shown: string[] = []
  let characters = 0
  for (let number = start; number <= last; number++) {
    const line = `${String(number).padStart(5)}\t${shorten(lines[number - 1] ?? '')}`
    characters += line.length + 1
    if (characters > CHARACTERS_MAX && shown.length > 0) break
    shown.push(line)
  }
  const end = start + shown.length - 1
  const isWhole = start === 1 && end === total
  const more = end < total ? `; go on with start_line ${end + 1}` : ''
  const trailer = isWhole ? '' : `\n[lines ${start}–${end} of ${total.toLocaleString('en-US')}${more}]`
  const encoding = read.isPlain ? '' : `\n[in ${read.encoding}, which edit and write keep]`
  return { text: shown.join('\n') + trailer + encoding, output: { path: file.shown, start, end, total }, seen }
}

function shorten(line: string): string {
  const text = line.replace(/\r$/, '')
  if (text.length <= LINE_CHARACTERS_MAX) return text
  return `${text.slice(0, LINE_CHARACTERS_MAX)}[… ${text.length - LINE_CHARACTERS_MAX} characters more]`
}
