import { z } from 'zod'
import { isSourcePath } from '#adapters/engines/repair/languages.ts'
import type { Measured } from '#adapters/engines/repair/measure-tests.ts'
import { measureLimits } from '#adapters/engines/repair/measure-tests.ts'
import { isTestPath, type TestResult, testId } from '#adapters/engines/repair/suite.ts'
import { openWarmTrial, type WarmTrial } from '#adapters/engines/repair/trial.ts'
import { firstSyntaxErrorLine, grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import type { JsonObject } from '#base/json.ts'
import { applyEdit } from './apply-edit.ts'
import { explainMiss } from './explain-miss.ts'
import { resolvePath } from './resolve-path.ts'
import { readForChange } from './text-file.ts'
import { defineTool, type ToolContext, ToolFailure } from './tool.ts'
import { messageOf, withTests } from './with-tests.ts'

const ALTERNATIVES_MAX = 12
const TEXT_CHARACTERS_MAX = 20_000
const SHOWN_TESTS = 3

const alternative = z.strictObject({
  path: z.string().describe('File, relative to the workspace'),
  old_text: z.string().min(1).max(TEXT_CHARACTERS_MAX).describe('Text to replace, as edit takes it: it fits one place'),
  new_text: z.string().max(TEXT_CHARACTERS_MAX),
})
type Alternative = z.infer<typeof alternative>
/** What became of one; the words are for the model. */
type Outcome = { verdict: 'passes' | 'fails' | 'not_tried'; words: string; failing: string[] }

export const tryChangeTool = defineTool({
  name: 'try_change',
  description:
    'Try up to 12 alternative changes against the failing tests, each by itself: without changing a file, and much faster than to ' +
    'edit and run the tests. Each makes one replacement in one file. For each it tells which tests pass, and what the others say; ' +
    'where the failing tests pass, all others are run too.',
  schema: z.strictObject({
    alternatives: z.array(alternative).min(1).max(ALTERNATIVES_MAX),
    command: z.string().optional().describe('Where there are several test commands: which one; else leave it out'),
  }),
  isReadOnly: false,
  // Tests are run, and may change something; the tool itself does not.
  isRepeatable: true,
  isFromOutside: true,
  run: ({ alternatives, command }, context) =>
    withTests(context, command, async (measured, signal) => {
      const { suite, fault } = measured
      await using trial = await openWarmTrial(context, suite, fault, { limits: measureLimits, signal })
      const tried: (Outcome & { path: string })[] = []
      for (const one of alternatives)
        tried.push({ path: one.path, ...(await tryOne(one, { context, trial, measured })) })
      const passing = tried.filter(({ verdict }) => verdict === 'passes').length
      const lines = tried.map(({ path, words }, at) => `${at + 1}. ${path}: ${words}`)
      const next = passing
        ? `The files are as they were. Make the change that is right with edit, then run \`${suite.command}\`.`
        : 'The files are as they were.'
      return {
        text: `${lines.join('\n')}\n\n${next}`,
        output: {
          command: suite.command,
          passing,
          alternatives: tried.map(({ path, verdict, failing }): JsonObject => ({ path, verdict, failing })),
        },
      }
    }),
})

type Trying = { context: ToolContext; trial: WarmTrial; measured: Measured }

async function tryOne(one: Alternative, { context, trial, measured: { fault } }: Trying): Promise<Outcome> {
  const changed = await changedSource(context, one).catch((error: unknown) => {
    if (error instanceof ToolFailure) return error
    throw error
  })
  if (changed instanceof ToolFailure) return { verdict: 'not_tried', words: changed.message, failing: [] }
  const results = await trial.tell(changed.file, changed.source)
  const failed = results.filter((test) => !test.isPassing)
  const failing = failed.map(testId)
  const wasFailing = new Set(fault.failing.map(testId))
  const fixed = results.filter((test) => test.isPassing && wasFailing.has(testId(test))).length
  const counted = `${fixed} of ${wasFailing.size} failing tests pass`
  if (!failed.length) return { verdict: 'passes', words: `${counted}, and the ${fault.passing.length} others`, failing }
  const isBroken = fixed === wasFailing.size
  const words = `${counted}. ${isBroken ? 'Others fail now' : 'Still failing'}: ${wordsOf(failed)}`
  return { verdict: 'fails', words, failing }
}

function wordsOf(failed: TestResult[]): string {
  const shown = failed.slice(0, SHOWN_TESTS).map((test) => `${testId(test)}: ${messageOf(test)}`)
  const more = failed.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** The whole text of the file with the change, which is in no file. */
async function changedSource(context: ToolContext, one: Alternative): Promise<{ file: string; source: string }> {
  const { shown: file, absolute, isOutside } = resolvePath(context.sandbox.paths, one.path)
  if (isOutside || !isSourcePath(file))
    throw new ToolFailure('Only files of Python, JavaScript, TypeScript or Go in the workspace can be tried. Use edit.')
  if (isTestPath(file)) throw new ToolFailure('This is a file of the tests, which say what is right. Use edit.')
  const read = await readForChange(context.sandbox, { shown: file, absolute })
  if (read === null) throw new ToolFailure('There is no such file. Find it with list or search.')
  const { old_text: oldText, new_text: newText } = one
  const applied = applyEdit(read.text, { oldText, newText, replaceAll: false })
  if (!applied) throw new ToolFailure(explainMiss({ path: file, before: read.text, oldText, newText }))
  const line = firstSyntaxErrorLine(await openParser(grammarOf(file)), applied.after)
  if (line !== null) throw new ToolFailure(`There would be a syntax error near line ${line}.`)
  return { file, source: applied.after }
}
