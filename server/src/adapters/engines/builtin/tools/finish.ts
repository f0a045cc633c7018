import { z } from 'zod'
import { runInside } from './run-inside.ts'
import { defineTool, type ToolContext } from './tool.ts'

const TIME_MS = 20_000
/** Names that people give to files which they mean to delete. */
const SCRATCH_FILE = /(^|\/)((scratch|tmp|temp|debug|repro|reproduce)[\w.-]*\.\w+|[^/]+(\.(orig|rej|bak|tmp|swp)|~))$/i

export const finishTool = defineTool({
  name: 'finish',
  description: 'End the task. Call it once, alone, when the work is done and checked, or when it cannot be done.',
  schema: z.strictObject({
    title: z
      .string()
      .optional()
      .describe('Of the commit and the pull request: one line of at most 72 characters that says what was changed'),
    summary: z.string().min(1).describe('What was changed and why, or what was found; for the person who asked'),
    checks: z
      .array(z.strictObject({ command: z.string(), passed: z.boolean() }))
      .optional()
      .describe('The commands that checked it'),
    replies: z
      .array(
        z.strictObject({ comment: z.union([z.string(), z.number()]), text: z.string().min(1), resolved: z.boolean() }),
      )
      .optional()
      .describe('Where the task has numbered comments: an answer to each of them'),
    open: z.array(z.string()).optional().describe('What is unsure or left to do'),
  }),
  isReadOnly: true,
  async run({ title, summary, checks = [], replies = [], open = [] }, context) {
    if (context.hasUntoldLoss) {
      const text =
        'Not finished any more: files that you changed are lost. See which, and do again what is still needed.'
      return { text, output: { finished: false }, isError: true }
    }
    const doubts = context.wasRefused ? [] : await findDoubts(context)
    if (doubts.length > 0) {
      const text = `Not finished yet:\n${doubts.map((doubt) => `- ${doubt}`).join('\n')}\nSee to it, then call finish again.`
      return { text, output: { finished: false, doubts }, isError: true }
    }
    return {
      text: 'finished',
      output: { finished: true, ...(title !== undefined && { title }), summary, checks, replies, open },
    }
  },
})

async function findDoubts(context: ToolContext): Promise<string[]> {
  const scratch = await findScratchFiles(context)
  return [
    ...(context.hasUncheckedEdit ? ['No command was run after the last edit: run the tests that cover it.'] : []),
    ...(scratch.length > 0
      ? [`These files look like scratch files; delete them if they are: ${scratch.join(', ')}`]
      : []),
  ]
}

async function findScratchFiles(context: ToolContext): Promise<string[]> {
  const argv = ['git', 'ls-files', '-oz', '--exclude-standard']
  const { stdout } = await runInside(context, { argv, timeoutMs: TIME_MS })
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((path) => SCRATCH_FILE.test(path))
    .slice(0, 20)
}
