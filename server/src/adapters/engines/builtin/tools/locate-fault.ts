import { z } from 'zod'
import { readSource, topLines } from '#adapters/engines/repair/find-fault.ts'
import { testId } from '#adapters/engines/repair/suite.ts'
import { shorten } from '#base/text/shorten.ts'
import { cleanOutput } from './clean-output.ts'
import { defineTool } from './tool.ts'
import { messageOf, withTests } from './with-tests.ts'

const LINE_CHARACTERS_MAX = 160
const TESTS_MAX = 10

export const locateFaultTool = defineTool({
  name: 'locate_fault',
  description:
    "Run the project's tests and list the lines where the fault is likely to be: those that failing tests run and passing " +
    'tests do not, the most suspicious first. For tests that fail; with try_change you see what a change there would do.',
  schema: z.strictObject({
    command: z.string().optional().describe('Where there are several test commands: which one; else leave it out'),
  }),
  isReadOnly: false,
  // Tests are run, and may change something; the tool itself does not.
  isRepeatable: true,
  isFromOutside: true,
  run: ({ command }, context) =>
    withTests(context, command, async ({ suite, fault, before }) => {
      const failing = before.tests.filter((test) => !test.isPassing)
      const sources = new Map<string, string[]>()
      const lines = []
      for (const { file, line, suspicion } of topLines(fault)) {
        if (!sources.has(file)) sources.set(file, (await readSource(context, file)).split('\n'))
        const text = shorten(cleanOutput(sources.get(file)?.[line - 1] ?? '').trim(), LINE_CHARACTERS_MAX)
        lines.push({ file, line, score: suspicion, text })
      }
      const tests = failing.slice(0, TESTS_MAX).map((test) => ({ test: testId(test), message: messageOf(test) }))
      const more = failing.length > tests.length ? `\n… and ${failing.length - tests.length} more` : ''
      return {
        text:
          `${failing.length} of ${before.tests.length} tests fail (${suite.command}):\n` +
          `${tests.map(({ test, message }) => `- ${test}: ${message}`).join('\n')}${more}\n\n` +
          `Most suspicious lines, with their score:\n` +
          lines.map(({ file, line, score, text }) => `${file}:${line} (${score.toFixed(2)}) ${text}`).join('\n'),
        output: { command: suite.command, failing: failing.length, total: before.tests.length, tests, lines },
      }
    }),
})
