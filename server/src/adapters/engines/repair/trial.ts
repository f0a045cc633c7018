import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { Bench, type BenchJob } from './bench.ts'
import type { Fault } from './find-fault.ts'
import type { CoveringTest } from './locate-fault.ts'
import type { RepairLimits } from './repair-limits.ts'
import { runSuite } from './run-suite.ts'
import type { Broken } from './run-tests.ts'
import { isFixed } from './is-fixed.ts'
import { failedIds, type Suite, testId } from './suite.ts'

export type Verdict = 'passes' | 'fails' | 'hangs'

/** Tells what the tests say with another text in place of one file, which stays as it is. */
export interface Trial extends AsyncDisposable {
  run(file: string, source: string): Promise<Verdict>
  /** Those of the failing tests that pass with it. */
  runFailing(file: string, source: string): Promise<string[]>
}

export async function openTrial(
  turn: Turn,
  broken: Broken,
  fault: Fault,
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<Trial> {
  if (fault.mode === 'fresh') return openFreshTrial(turn, broken, limits, signal)
  const files = [...new Set([...fault.failing, ...fault.passing].map((test) => test.file))]
  const open = () => Bench.open(turn.sandbox, broken.suite, files, signal)
  let bench = await open()
  return {
    async run(file, source) {
      const covering = fault.files.find((one) => one.file === file)?.tests.filter((test) => test.isPassing) ?? []
      // The failing tests first: they refuse nearly every candidate. All of them only for what is left.
      for (const tests of [fault.failing, covering, fault.passing]) {
        const verdict = await runTests(bench, tests, { file, source }, limits).catch(async (error: unknown) => {
          // A candidate may take the whole bench with it, such as by using up the memory.
          if (!(error instanceof EngineError) || error.code !== 'engine_error') throw error
          await bench[Symbol.asyncDispose]()
          bench = await open()
          return 'hangs' as const
        })
        if (verdict !== 'passes') return verdict
      }
      return 'passes'
    },
    async runFailing(file, source) {
      const job = { ...jobOf(fault.failing, { file, source }, limits), stopsAtFirst: false }
      const { tests } = await bench.run(job)
      return tests.filter((test) => test.isPassing).map(testId)
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

async function runTests(
  bench: Bench,
  tests: CoveringTest[],
  candidate: { file: string; source: string },
  limits: RepairLimits,
): Promise<Verdict> {
  if (!tests.length) return 'passes'
  const answer = await bench.run(jobOf(tests, candidate, limits))
  const isHanging = answer.timedOut || answer.tests.some((test) => /timed out/i.test(test.error ?? ''))
  if (isHanging) return 'hangs'
  const passed = answer.tests.filter((test) => test.isPassing).length
  // A candidate that makes tests vanish fixes nothing.
  const namedCount = tests.filter((test) => test.name !== '').length
  return passed >= Math.max(namedCount, 1) && passed === answer.tests.length ? 'passes' : 'fails'
}

function jobOf(tests: CoveringTest[], candidate: { file: string; source: string }, limits: RepairLimits): BenchJob {
  // A failing test counts as well, unless it was ended for its time when it was measured.
  const counts = (test: CoveringTest) => test.isPassing || test.ms < 2 * limits.testMs
  const slowestMs = Math.max(...tests.map((test) => (counts(test) ? test.ms : 0)))
  const sumMs = tests.reduce((sum, test) => sum + test.ms, 0)
  const testMs = Math.round(limits.testMs + 10 * slowestMs)
  return {
    files: groupByFile(tests),
    candidate,
    isCovering: false,
    stopsAtFirst: true,
    testMs,
    totalMs: Math.round(2 * testMs + 3 * Math.min(sumMs, 20_000) + 1_000),
  }
}

function groupByFile(tests: CoveringTest[]): { file: string; names: string[] | null }[] {
  const groups = new Map<string, string[] | null>()
  for (const { file, name } of tests) {
    const names = groups.get(file)
    if (name === '' || names === null) groups.set(file, null)
    else groups.set(file, [...(names ?? []), name])
  }
  return [...groups].map(([file, names]) => ({ file, names }))
}

function openFreshTrial(turn: Turn, broken: Broken, limits: RepairLimits, signal: AbortSignal): Trial {
  const { suite, before, flaky } = broken
  const timeoutMs = Math.min(limits.suiteMs, Math.round(before.seconds * 3_000 + 2_000))
  const stuckMs = Math.min(limits.stuckMs, 2_000 + 3 * Math.max(0, ...before.tests.map((test) => test.ms)))
  const allFiles = new Set(before.tests.map((test) => test.file))
  const failing = [...new Set(before.tests.filter((test) => !test.isPassing && test.file).map((test) => test.file))]
  return {
    async run(file, source) {
      const run = (files?: string[]) =>
        runSuite(turn.sandbox, suite, {
          candidate: { file, source },
          stuckMs,
          timeoutMs,
          signal,
          ...(files && { files }),
        })
      // The files that fail refuse nearly every candidate.
      if (canSelect(suite) && failing.length && failing.length < allFiles.size) {
        const first = await run(failing)
        if (first.timedOut) return 'hangs'
        if (failedIds(first.tests).some((id) => !flaky.includes(id)) || !first.tests.length) return 'fails'
      }
      const result = await run()
      if (result.timedOut) return 'hangs'
      return isFixed(before, result, flaky) ? 'passes' : 'fails'
    },
    async runFailing(file, source) {
      const result = await runSuite(turn.sandbox, suite, { candidate: { file, source }, stuckMs, timeoutMs, signal })
      const failed = new Set(failedIds(before.tests))
      return result.tests.filter((test) => test.isPassing && failed.has(testId(test))).map(testId)
    },
    async [Symbol.asyncDispose]() {},
  }
}

function canSelect(suite: Suite): boolean {
  return suite.runner !== 'command' && suite.runner !== 'mocha' && suite.runner !== 'ava'
}
