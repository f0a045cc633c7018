import { type Measured, measureTests } from '#adapters/engines/repair/measure-tests.ts'
import type { TestResult } from '#adapters/engines/repair/suite.ts'
import { shorten } from '#base/text/shorten.ts'
import { cleanOutput } from './clean-output.ts'
import { type ToolContext, ToolFailure, type ToolResult } from './tool.ts'

const TIME_MS = 300_000
const MESSAGE_CHARACTERS_MAX = 300

/** Measures the failing tests of the work tree and goes on with them, all within the time that a tool may take. */
export async function withTests(
  context: ToolContext,
  command: string | undefined,
  act: (measured: Measured, signal: AbortSignal) => Promise<ToolResult>,
): Promise<ToolResult> {
  const limit = AbortSignal.timeout(TIME_MS)
  const signal = AbortSignal.any([context.signal, limit])
  try {
    const measured = await measureTests(context.sandbox, command, signal)
    if ('problem' in measured) throw new ToolFailure(measured.problem)
    return await act(measured, signal)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!limit.aborted) throw error
    throw new ToolFailure(`It took longer than ${TIME_MS / 1000} s. Run the tests that matter with shell instead.`, {
      timed_out: true,
    })
  }
}

/** What a failing test says, as far as it fits into a line. */
export function messageOf({ error }: TestResult): string {
  const lines = cleanOutput(error ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  // pytest marks what counts; unittest says it last, and runners of JavaScript first.
  const marked = lines.filter((line) => line.startsWith('E ')).map((line) => line.slice(1).trim())
  const isTraceback = lines[0]?.startsWith('Traceback')
  const begin = Math.max(
    lines.findIndex((line) => /^\w*Error\b/.test(line)),
    0,
  )
  const head = lines.slice(begin, begin + 4).filter((line) => !line.startsWith('at '))
  const words = marked.length ? marked : isTraceback ? lines.slice(-1) : head
  return shorten(words.join(' '), MESSAGE_CHARACTERS_MAX)
}
