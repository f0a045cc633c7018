import { EngineError, type Entry, type Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { collectTests } from './find-python-suites.ts'
import { findCheckedSuites, findSuites } from './find-suites.ts'
import { languages } from './languages.ts'
import type { RepairLimits } from './repair-limits.ts'
import { runSuite } from './run-suite.ts'
import { withoutIdle } from './without-idle.ts'
import { causeOf, findCause, findOutside } from './find-cause.ts'
import { failedIds, isSameSuite, isTimedOut, type Suite, type SuiteResult, testId, type TestResult } from './suite.ts'

const ERROR_CHARACTERS = 700
const SHOWN_FAILURES = 5
/** How much longer a test may take that was ended for its time. */
const SLOWER = 4

/** A suite with failing tests: its first run, the tests that differ from run to run, and those that miss something from outside. */
export type Broken = {
  suite: Suite
  before: SuiteResult
  flaky: string[]
  outside: { id: string; cause: string }[]
  otherFailing: string[]
}

/** The tests that say nothing of a change. */
export function leftAside({ flaky, outside }: Pick<Broken, 'flaky' | 'outside'>): string[] {
  return [...flaky, ...outside.map(({ id }) => id)]
}

/** Those that fail and can tell. */
export function failingTests(broken: Broken): TestResult[] {
  const aside = leftAside(broken)
  return broken.before.tests.filter((test) => !test.isPassing && !aside.includes(testId(test)))
}

/** How often a suite is run that takes so long, to find tests that differ from run to run, and to see that a change holds. */
export function runsFor(seconds: number, { slowSuiteMs }: RepairLimits): number {
  if (seconds * 1000 > slowSuiteMs) return 1
  return seconds * 3000 > slowSuiteMs ? 2 : 3
}

/** Runs every suite, and the failing one again to find the tests that don't always say the same. */
export async function findBroken(turn: Turn, limits: RepairLimits): Promise<Broken> {
  const { suites, results } = await turn.step(
    { key: `t${turn.number}/run_tests`, kind: 'tool', request: { tool: 'run_tests', run: 1 } },
    async (signal) => {
      const suites: Suite[] = []
      const results: SuiteResult[] = []
      const run = async (found: Suite[]) => {
        for (const one of found) {
          const [suite, result] = await runFound(turn, one, limits, signal)
          suites.push(suite)
          results.push(result)
        }
      }
      await run(await findCheckedSuites(turn.sandbox, turn.repository?.checks ?? [], signal))
      // What people named comes first; what else there is tells where nothing of it fails.
      if (!results.some(({ tests }) => failedIds(tests).length))
        await run(
          (await findSuites(turn.sandbox, signal)).filter((one) => !suites.some((other) => isSameSuite(one, other))),
        )
      return { response: { suites, results }, entries: suites.map((suite, at) => describeRun(suite, results[at]!, 1)) }
    },
  )
  const ran = suites.filter((_, at) => results[at]!.tests.length > 0)
  if (!ran.length) throw noTests(suites, results)
  const failing = suites.filter((_, at) => failedIds(results[at]!.tests).length > 0)
  const causes = failing.map((suite) => findCause(results[suites.indexOf(suite)]!))
  const suite = failing.find((_, at) => causes[at] === null)
  const cause = causes.find((one) => one !== null)
  if (!suite && cause) throw beyondRepair(cause)
  if (!suite) throw nothingFails(ran, results)
  const before = results[suites.indexOf(suite)]!
  const flaky = await findFlaky(turn, suite, before, limits)
  const outside = findOutside(before)
  const aside = leftAside({ flaky, outside })
  if (failedIds(before.tests).every((id) => aside.includes(id))) throw nothingFails(ran, results, flaky)
  return {
    suite,
    before,
    flaky,
    outside,
    otherFailing: failing.filter((other) => other !== suite).map((other) => other.command),
  }
}

/**
 * A suite with its result. What stands before its tests is left out where nothing is heard of them: it may be a check that is
 * not installed here, or a build that fails on this machine.
 */
async function runFound(
  turn: Turn,
  found: Suite,
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<[Suite, SuiteResult]> {
  const suite = await withoutIdle(turn.sandbox, await collectTests(turn.sandbox, found, signal), signal)
  const result = await runWhole(turn, suite, limits, signal)
  if (!suite.prepare || namesTests(suite, result.tests)) return [suite, result]
  const alone = { ...suite, prepare: '', leftOut: [...suite.leftOut, suite.prepare] }
  const other = await runWhole(turn, alone, limits, signal)
  const failing = other.tests.filter(({ isPassing }) => !isPassing)
  // What failed as a whole is not to pass for that.
  const isBetter = result.tests.length ? namesTests(suite, failing) : other.tests.length > 0
  return isBetter ? [alone, other] : [suite, result]
}

/** Not just the command as a whole, unless that is all that it can tell. */
function namesTests({ runner, command }: Suite, tests: TestResult[]): boolean {
  return tests.some(({ name }) => runner === 'command' || name !== command)
}

async function findFlaky(turn: Turn, suite: Suite, before: SuiteResult, limits: RepairLimits): Promise<string[]> {
  const runs = [before]
  if (before.tests.some((test) => isHang(test, limits))) return []
  for (let run = 2; run <= runsFor(before.seconds, limits); run++) {
    const result = await turn.step(
      { key: `t${turn.number}/run_tests/${run}`, kind: 'tool', request: { tool: 'run_tests', run } },
      async (signal) => {
        const result = await runWhole(turn, suite, limits, signal)
        return { response: result, entries: [describeRun(suite, result, run)] }
      },
    )
    runs.push(result)
  }
  const verdicts = runs.map((run) => new Map(run.tests.map((test) => [testId(test), test.isPassing])))
  const ids = new Set(verdicts.flatMap((one) => [...one.keys()]))
  return [...ids].filter((id) => new Set(verdicts.map((one) => one.get(id))).size > 1).sort()
}

/** A hang costs its whole time limit in every run; it is not tried again. */
function isHang(test: TestResult, limits: RepairLimits): boolean {
  return !test.isPassing && (test.ms >= limits.stuckMs || isTimedOut(test))
}

export async function runWhole(
  turn: Pick<Turn, 'sandbox'>,
  suite: Suite,
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<SuiteResult> {
  const { stuckMs, suiteMs } = limits
  const run = (ms: number, some = suite) => runSuite(turn.sandbox, some, { stuckMs: ms, timeoutMs: suiteMs, signal })
  const result = await run(stuckMs)
  // Ended before it told of any test: what it did first, such as compiling everything, took long.
  if (!result.tests.length && result.exitCode === null && !result.timedOut) return run(SLOWER * stuckMs)
  const ended = result.tests.find((test) => wasEnded(test, limits))
  if (!ended) return result
  // It may only be slow. Alone, where the runner can, as the others are likely not to end either.
  const { file, name } = ended
  if (name && languages[suite.language].runsSuites) {
    const alone = await run(SLOWER * stuckMs, { ...suite, files: [file], names: { [file]: [name] } })
    if (alone.tests.some((test) => !test.isPassing && isTimedOut(test))) return result
  }
  return run(SLOWER * stuckMs)
}

function wasEnded(test: TestResult, limits: RepairLimits): boolean {
  return isHang(test, limits) || (!test.isPassing && test.name === '' && /SIGKILL/.test(test.error ?? ''))
}

function describeRun(suite: Suite, result: SuiteResult, run: number): Entry {
  const failed = failedIds(result.tests)
  return {
    messageType: 'ACTION',
    toolName: 'run_tests',
    thought:
      run === 1
        ? 'The failing check must be known before anything is changed.'
        : `Run ${run}: a test that does not always say the same can't tell a good change from a bad one.`,
    toolInput: { command: suite.command, folder: suite.folder || '.', runner: suite.runner, run },
    toolOutput: { ...describeResult(result), left_out: suite.leftOut },
    observation: failed.length
      ? `${failed.length} of ${result.tests.length} tests fail:\n\n${describeFailures(result)}`
      : `${result.tests.length} tests, all pass.${result.tests.length ? '' : `\n\n${result.outputTail.slice(-ERROR_CHARACTERS)}`}`,
    durationMs: Math.round(result.seconds * 1000),
  }
}

export function describeResult(result: SuiteResult): JsonObject {
  const failed = failedIds(result.tests)
  return {
    exit_code: result.exitCode,
    passed: result.tests.length - failed.length,
    failed,
    seconds: Math.round(result.seconds * 100) / 100,
    timed_out: result.timedOut,
  }
}

export function describeFailures(result: SuiteResult): string {
  const failing = result.tests.filter((test) => !test.isPassing)
  const shown = failing.slice(0, SHOWN_FAILURES).map((test) => {
    const error = (test.error ?? '').trim()
    return `${testId(test)}\n${error.slice(0, ERROR_CHARACTERS)}`
  })
  if (failing.length > shown.length) shown.push(`… and ${failing.length - shown.length} more`)
  return shown.join('\n\n')
}

function beyondRepair(cause: string): EngineError {
  return new EngineError(
    'no_fix_found',
    `${cause} The repair engine makes small changes to programs that run, so nothing was tried and the workspace is as ` +
      'it was.',
  )
}

function noTests(suites: Suite[], results: SuiteResult[]): EngineError {
  const slow = results.some((result) => result.timedOut)
    ? ' The tests were ended when their time was over: the suite is too slow for this engine, or it hangs.'
    : ''
  const tried = suites.map(({ command }, at) => {
    const { exitCode, outputTail } = results[at]!
    return `\`${command}\` (exit code ${exitCode}) told of no test. ${causeOf(outputTail) ?? ''}`.trim()
  })
  return new EngineError(
    'no_tests_found',
    'The repair engine needs tests and found none. It looked at the checks of the repository, for a `test` script in package.json, for files that ' +
      '`node --test` runs (such as `*.test.js`, `*.test.ts` or a folder `test`), for Python test files (`test_*.py`, ' +
      `\`*_test.py\`), and for those of Go (\`*_test.go\`).${tried.length ? ` ${tried.join(' ')}` : ''}${slow} Add a test that fails because of the bug, or ` +
      `configure a model: ${MODEL_HINT}`,
  )
}

const MODEL_HINT =
  'set ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or OPENAI_BASE_URL for the service, and start a ' +
  'new run.'

function nothingFails(suites: Suite[], results: SuiteResult[], flaky: string[] = []): EngineError {
  const count = results.reduce((sum, result) => sum + result.tests.length, 0)
  const commands = suites.map((suite) => `\`${suite.command}\``).join(', ')
  const unsteady = flaky.length ? ` Tests that fail only sometimes were left out: ${flaky.join(', ')}.` : ''
  return new EngineError(
    'no_failing_test',
    `No test fails (${count} tests by ${commands}).${unsteady} The repair engine fixes failing tests and does nothing ` +
      `else: without a model the prompt can't be understood. Add a test that fails because of the bug, or configure a ` +
      `model: ${MODEL_HINT}`,
  )
}
