import { z } from 'zod'
import type { Evidence } from '#adapters/engines/engine.ts'
import { findOutputFaults } from '#base/output-schema/find-output-faults.ts'
import { runInside } from './run-inside.ts'
import { defineTool, type ToolContext } from './tool.ts'

/** After so many refusals the work may end, and its answer names what failed. */
const HOOK_REFUSALS_MAX = 2
const TIME_MS = 20_000
/** Names that people give to files which they mean to delete. */
const SCRATCH_FILE = /(^|\/)((scratch|tmp|temp|debug|repro|reproduce)[\w.-]*\.\w+|[^/]+(\.(orig|rej|bak|tmp|swp)|~))$/i

const schema = z.strictObject({
  title: z
    .string()
    .optional()
    .describe('Of the commit and the pull request: one line of at most 72 characters that says what was changed'),
  summary: z
    .string()
    .min(1)
    .describe(
      'What was changed and why, or what was found; for the person who asked. [t1-3.1] after a sentence cites the step that shows it',
    ),
  checks: z
    .array(
      z.strictObject({
        step: z.string().optional().describe('The step that ran it, as its result names it: t1-3.1'),
        command: z.string().optional(),
        passed: z.boolean().optional(),
      }),
    )
    .optional()
    .describe('The commands that checked it, after the last edit; how each ended is read from the log'),
  replies: z
    .array(
      z.strictObject({ comment: z.union([z.string(), z.number()]), text: z.string().min(1), resolved: z.boolean() }),
    )
    .optional()
    .describe('Where the task has numbered comments: an answer to each of them'),
  open: z.array(z.string()).optional().describe('What is unsure, failing or left to do, and why'),
  output: z.json().optional(),
})
type FinishInput = z.infer<typeof schema>

/** As models are told of it: `output` is only for runs with a schema. Elsewhere it is taken, and left out. */
export const finishSchema = schema.omit({ output: true })

export const finishTool = defineTool({
  name: 'finish',
  description:
    'End the task; nothing else ends it. Call it once, alone, when the work is done and checked, or when it cannot be done.',
  schema,
  isReadOnly: true,
  async run(input, context) {
    if (context.hasUntoldLoss) {
      const text =
        'Not finished any more: files that you changed are lost. See which, and do again what is still needed.'
      return { text, output: { finished: false }, isError: true }
    }
    const checks = (input.checks ?? []).flatMap((claim) => findEvidence(claim, context))
    const doubts = await findDoubts(input, checks, context)
    const faults = await findFaults(input, context)
    if (doubts.length + faults.length > 0) {
      const points = [...doubts, ...faults.map((fault) => `output: ${fault}`)]
      const text = `Not finished yet:\n${points.map((point) => `- ${point}`).join('\n')}\nSee to it, then call finish again.`
      const output = {
        finished: false,
        ...(doubts.length > 0 && { doubts }),
        ...(faults.length > 0 && { output_faults: faults }),
      }
      return { text, output, isError: true }
    }
    const { failedHooks, hookRefusals } = context
    if (failedHooks.length > 0 && hookRefusals < HOOK_REFUSALS_MAX) {
      const text = failedHooks.map((hook) => hook.text).join('\n')
      const output = { finished: false, failed_hooks: failedHooks.map(({ command }) => command) }
      return { text: `Not finished yet: a hook of the repository failed.\n${text}`, output, isError: true }
    }
    const { title, summary, replies = [], open = [], output } = input
    return {
      text: 'finished',
      output: {
        finished: true,
        ...(title !== undefined && { title }),
        summary,
        checks,
        replies,
        open,
        ...(failedHooks.length > 0 && { failed_hooks: failedHooks.map(({ command }) => command) }),
        ...(context.outputSchema && { output: output ?? null }),
      },
    }
  },
})

type Claim = NonNullable<FinishInput['checks']>[number]

/** What the log knows of a claim. A command that did not run since the last edit has no step. */
function findEvidence({ step, command = '' }: Claim, { commands }: ToolContext): Evidence[] {
  const name = step?.replace(/^\[|\]$/g, '').trim()
  const ran = commands.findLast((one) => !one.isStale && (name ? one.step === name : one.command === command.trim()))
  if (ran) return [{ command: ran.command, step: ran.step, exitCode: ran.exitCode, seconds: ran.seconds }]
  const claimed = command.trim() || commands.find((one) => one.step === name)?.command || name
  return claimed ? [{ command: claimed, step: null, exitCode: null, seconds: null }] : []
}

async function findDoubts({ open = [] }: FinishInput, checks: Evidence[], context: ToolContext): Promise<string[]> {
  const { editState, wasRefused } = context
  const doubts: string[] = []
  // What is not checked may end with an explanation, and never without.
  const mayEnd = wasRefused && open.some((point) => point.trim() !== '')
  if (editState === 'unchecked' && !mayEnd)
    doubts.push(
      'No command was run after the last edit: run the tests that cover it, or say in `open` why none can be run.',
    )
  if (editState === 'failing' && !mayEnd)
    doubts.push('No command has passed since the last edit: fix what fails, or say in `open` what fails and why.')
  if (wasRefused) return doubts
  for (const { command } of checks.filter(({ step }) => step === null))
    doubts.push(`No step since the last edit ran \`${command}\`: run it, or it will be shown as not run.`)
  const scratch = await findScratchFiles(context)
  if (scratch.length > 0)
    doubts.push(`These files look like scratch files; delete them if they are: ${scratch.join(', ')}`)
  return doubts
}

/** What does not fit of the result that the task asks for. */
export async function findFaults(
  { output }: Pick<FinishInput, 'output'>,
  { outputSchema }: Pick<ToolContext, 'outputSchema'>,
): Promise<string[]> {
  if (!outputSchema) return []
  return output === undefined
    ? ['it is missing, and the task asks for it.']
    : await findOutputFaults(output, outputSchema)
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
