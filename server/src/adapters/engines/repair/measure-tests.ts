import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { findCause, findOutside } from './find-cause.ts'
import { type Fault, findSyntaxError, measureFault } from './find-fault.ts'
import { collectTests } from './find-python-suites.ts'
import { findSuites } from './find-suites.ts'
import { installTools } from './install-tools.ts'
import { defaultRepairLimits } from './repair-limits.ts'
import { type Broken, runWhole } from './run-tests.ts'
import { canBeWarm, failedIds } from './suite.ts'

export const measureLimits = { ...defaultRepairLimits, suiteMs: 120_000 }

/** Failing tests with the lines that they run; or in words why there are none. */
export type Measured = Broken & { fault: Fault }

/** Whether there are tests that can be run one by one in a process that has them loaded. */
export async function hasWarmTests(sandbox: Sandbox, signal: AbortSignal): Promise<boolean> {
  return (await findSuites(sandbox, signal)).some(canBeWarm)
}

/** Runs the tests of the work tree as it is: one suite by its command, else the first that fails. */
export async function measureTests(
  sandbox: Sandbox,
  command: string | undefined,
  signal: AbortSignal,
): Promise<Measured | { problem: string }> {
  await installTools(sandbox)
  const found = await findSuites(sandbox, signal)
  const suites = found.filter((suite) => command === undefined || suite.command === command)
  const commands = found.map((suite) => `\`${suite.command}\``).join(', ') || 'none'
  if (!suites.length) return { problem: `There is no such test command here. Those that were found: ${commands}.` }
  for (const one of suites) {
    const suite = await collectTests(sandbox, one, signal)
    const before = await runWhole({ sandbox }, suite, measureLimits, signal)
    if (!failedIds(before.tests).length) continue
    const cause = findCause(before)
    const unreadable = before.tests.some((test) => !test.isPassing && !test.name)
    const problem = cause ?? (unreadable ? await findSyntaxError({ sandbox }, signal) : null)
    if (problem !== null) return { problem }
    const broken = { suite, before, flaky: [], outside: findOutside(before), otherFailing: [] }
    const fault = await orNull(measureFault({ sandbox }, broken, measureLimits, signal))
    if (fault?.mode === 'warm' && fault.failing.length) return { ...broken, fault }
    return {
      problem:
        `The tests of \`${suite.command}\` fail, but cannot be run one by one in a process that is kept loaded. ` +
        `Change the files themselves, and run \`${suite.command}\` with shell after each change.`,
    }
  }
  return { problem: `No test fails: ${commands} pass. To have a fault found, write a test that fails because of it.` }
}

/** Where tests take the process with them, nothing can be measured. */
async function orNull<T>(measuring: Promise<T>): Promise<T | null> {
  return measuring.catch((error: unknown) => {
    if (error instanceof EngineError && !error.retryable) return null
    throw error
  })
}
