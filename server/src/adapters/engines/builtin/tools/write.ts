import { z } from 'zod'
import { diffLines } from '#base/text/diff-lines.ts'
import { linesOf } from '#base/text/lines-of.ts'
import { resolvePath } from './resolve-path.ts'
import { CONTENT_BYTES_MAX, encodeFor, hasCrlf, hashOf, readForChange } from './text-file.ts'
import { tellFault } from './tell-fault.ts'
import { defineTool, ToolFailure } from './tool.ts'

export const DIFF_CHARACTERS_MAX = 32_000

export const writeTool = defineTool({
  name: 'write',
  description:
    'Write a whole file: a new one, or one of which most changes. Missing folders are made. ' +
    'To change part of a file use edit.',
  schema: z.strictObject({
    path: z.string().min(1).describe('Relative to the workspace'),
    content: z.string(),
  }),
  isReadOnly: false,
  isRepeatable: true,
  async run({ path, content }, context) {
    const { sandbox } = context
    const file = resolvePath(sandbox.paths, path)
    if (Buffer.byteLength(content) > CONTENT_BYTES_MAX) {
      throw new ToolFailure(
        `The content has ${Buffer.byteLength(content)} bytes, at most ${CONTENT_BYTES_MAX} are taken. Write it in parts.`,
      )
    }
    const read = await readForChange(sandbox, file)
    const before = read?.text ?? null
    const isCrlf = before !== null && hasCrlf(before) && !content.includes('\r\n')
    const after = isCrlf ? content.replaceAll('\n', '\r\n') : content
    const bytes = read
      ? Buffer.concat([read.mark, encodeFor(file, read, after.replace(/^\ufeff/, ''))])
      : Buffer.from(after)
    await sandbox.writeFile(file.absolute, bytes)
    const fault = await tellFault(context, { path: file.shown, before, after })
    const count = linesOf(after).length
    const text =
      before === null
        ? `created ${file.shown} (${count} lines)`
        : `replaced ${file.shown} (was ${linesOf(before).length} lines, now ${count}${read?.isPlain === false ? `; kept in ${read.encoding}` : ''})`
    return {
      text: text + fault.text,
      output: {
        ...(file.isOutside && { outside: true }),
        path: file.shown,
        diff: diffLines(file.shown, before ?? '', after)
          .diff.slice(0, DIFF_CHARACTERS_MAX)
          .toWellFormed(),
        ...fault.output,
      },
      seen: { path: file.absolute, hash: hashOf(bytes) },
    }
  },
})
