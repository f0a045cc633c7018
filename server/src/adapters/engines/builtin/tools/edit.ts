import { z } from 'zod'
import { applyEdit } from './apply-edit.ts'
import { diffLines } from '#base/text/diff-lines.ts'
import { linesOf } from '#base/text/lines-of.ts'
import { explainMiss } from './explain-miss.ts'
import { resolvePath } from './resolve-path.ts'
import { changedBytes, hashOf, readForChange } from './text-file.ts'
import { tellFault } from './tell-fault.ts'
import { defineTool, ToolFailure } from './tool.ts'
import { DIFF_CHARACTERS_MAX } from './write.ts'

const CONTEXT_LINES = 3
/** Of a long change the model is shown this many lines. */
const SHOWN_LINES_MAX = 60

export const editTool = defineTool({
  name: 'edit',
  description:
    'Replace text in a file. old_text must be exactly what the file holds (without line numbers) and occur once; ' +
    'add lines around it to make it so, or set replace_all. The changed lines come back. The encoding of the file is kept.',
  schema: z.strictObject({
    path: z.string().min(1).describe('Relative to the workspace'),
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
  }),
  isReadOnly: false,
  isFromOutside: true,
  async run({ path, old_text: oldText, new_text: newText, replace_all: replaceAll = false }, context) {
    const { sandbox, seen } = context
    const file = resolvePath(sandbox.paths, path)
    if (oldText === '') throw new ToolFailure('old_text is empty. Give the text to replace; for a new file use write.')
    if (oldText === newText) throw new ToolFailure('old_text and new_text are the same, so nothing would change.')
    const read = await readForChange(sandbox, file)
    if (read === null)
      throw new ToolFailure(`There is no file ${file.shown}. Find it with list or search, or make it with write.`)
    const before = read.text
    // Line ends of old Macs, which models write as their own.
    const isMac = before.includes('\r') && !before.includes('\n')
    const own = (text: string) => (isMac ? text.replace(/\r?\n/g, '\r') : text)
    const applied = applyEdit(before, { oldText: own(oldText), newText: own(newText), replaceAll })
    if (!applied) {
      const known = seen.get(file.absolute)
      const changed =
        known !== undefined && known !== hashOf(read.bytes) ? ' The file has changed since you read it.' : ''
      throw new ToolFailure(explainMiss({ path: file.shown, before, oldText, newText }) + changed, { path: file.shown })
    }
    const bytes = changedBytes(file, read, applied.changes)
    await sandbox.writeFile(file.absolute, bytes)
    const change = diffLines(file.shown, before, applied.after)
    const fault = await tellFault(context, { path: file.shown, before, after: applied.after })
    return {
      text: describe(file.shown, applied, change) + fault.text,
      output: {
        ...(file.isOutside && { outside: true }),
        path: file.shown,
        diff: change.diff.slice(0, DIFF_CHARACTERS_MAX).toWellFormed(),
        count: applied.count,
        ...fault.output,
      },
      seen: { path: file.absolute, hash: hashOf(bytes) },
    }
  },
})

type Applied = { after: string; count: number; isAdjusted: boolean }

function describe(shown: string, applied: Applied, change: { firstLine: number; added: string[] }): string {
  const lines = linesOf(applied.after)
  const first = Math.max(1, change.firstLine - CONTEXT_LINES)
  const last = Math.min(lines.length, change.firstLine + change.added.length - 1 + CONTEXT_LINES)
  const end = Math.min(last, first + SHOWN_LINES_MAX - 1)
  const numbered = lines
    .slice(first - 1, end)
    .map((line, index) => `${String(first + index).padStart(5)}\t${line.replace(/\r$/, '')}`)
  const places = applied.count === 1 ? '' : `, ${applied.count} places`
  const adjusted = applied.isAdjusted ? '; spaces, quotes or indentation of old_text differed and were adjusted' : ''
  const more = end < last ? `\n[${last - end} more lines]` : ''
  return `edited ${shown}${places}${adjusted}\n${numbered.join('\n')}${more}`
}
