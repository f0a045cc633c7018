import type { Turn } from '#adapters/engines/engine.ts'
import type { BenchJob, StopsAt } from './bench.ts'
import type { Fault } from './find-fault.ts'
import { LastingBench } from './lasting-bench.ts'
import type { CoveringTest } from './locate-fault.ts'
import type { RepairLimits } from './repair-limits.ts'
import { runSuite } from './run-suite.ts'
import { type Broken, leftAside } from './run-tests.ts'
import { isFixed } from './is-fixed.ts'
import { linesReached } from './lines-reached.ts'
import { failedIds, isTimedOut, type Suite, type SuiteResult, testId, type TestResult } from './suite.ts'

export type Verdict = 'passes' | 'fails' | 'hangs'

/** Tells what the tests say with another text in place of one file, which stays as it is. */
export interface Trial extends AsyncDisposable {
  run(file: string, source: string, patience?: Patience): Promise<Tried>
  /** Those of the failing tests that pass with it. */
  runFailing(file: string, source: string, patience?: Patience): Promise<string[]>
  /** Whether what passed still does. */
  runPassing(file: string, source: string): Promise<Verdict>
}

/** How long each test is waited for: as long as the right change may need, or as long as most do. */
export type Patience = 'full' | 'brief'

/**
 * `fixed`: some of the failing tests that pass with it, where not all do; absent where not all were asked. `reached`: how far the
 * others came, where that is known. `isAnew`: whether tests that are kept loaded had to be loaded anew for it.
 */
export type Tried = { verdict: Verdict; fixed?: string[]; reached?: Reached; isAnew?: boolean }
export type Reached = Record<string, number[]>

/** So many failing tests are asked of each candidate what they say of it; where more fail, the rest is asked where these pass. */
const ASKED_MAX = 12
/** Where the failing tests take longer together, the quick ones are asked first, if they take so much less. */
const SLOW_MS = 100
const QUICK_SHARE = 0.2
/** So many are asked before a whole suite of seconds is. */
const REFUSERS_MAX = 5

export async function openTrial(
  turn: Pick<Turn, 'sandbox'>,
  broken: Broken,
  fault: Fault,
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<Trial> {
  if (fault.mode === 'fresh') return openFreshTrial(turn, broken, limits, signal)
  return openWarmTrial(turn, broken.suite, fault, { limits, signal })
}

/** In a process that has the tests loaded. It can also say what each test says. */
export interface WarmTrial extends Trial {
  /** The failing tests, and where all of them pass, the others too. */
  tell(file: string, source: string): Promise<TestResult[]>
}

export async function openWarmTrial(
  turn: Pick<Turn, 'sandbox'>,
  suite: Suite,
  fault: Fault,
  { limits, signal }: { limits: RepairLimits; signal: AbortSignal },
): Promise<WarmTrial> {
  const all = [...fault.failing, ...fault.passing]
  const files = [...new Set(all.map((test) => test.file))]
  const bench = await LastingBench.open(turn.sandbox, suite, files, signal)
  const together = all.filter((test) => fault.together?.includes(test.file))
  const options = { limits, together, loadMs: fault.loadMs ?? {} }
  const failing = byTurns(fault.failing)
  const asked = failing.slice(0, ASKED_MAX)
  const others = failing.slice(ASKED_MAX)
  const quick = quickOf(asked)
  /** Of the passing tests those that earlier candidates broke, the latest first. */
  let refusers: CoveringTest[] = []
  const runAll = async (
    stages: CoveringTest[][],
    candidate: { file: string; source: string },
    patience: Patience = 'full',
  ): Promise<Tried> => {
    const fixed: string[] = []
    for (const tests of stages) {
      const isFailing = tests === asked || tests === others
      const stopsAt = tests === asked ? 'hang' : 'failure'
      const ran = await runTests(bench, tests, { ...options, candidate, stopsAt, patience })
      if (isFailing) fixed.push(...ran.fixed)
      if (ran.verdict === 'passes') continue
      if (isFailing) return { ...ran, fixed }
      const broken = tests.filter((one) => testId(one) in ran.reached)
      refusers = [...new Set([...broken, ...refusers])].slice(0, REFUSERS_MAX)
      return { verdict: ran.verdict, fixed }
    }
    return { verdict: 'passes', fixed }
  }
  const coveringOf = (file: string) =>
    fault.files.find((one) => one.file === file)?.tests.filter((test) => test.isPassing) ?? []
  return {
    // The failing tests first: they refuse nearly every candidate. What passes them breaks what others broke. All only for what is left.
    async run(file, source, patience = 'full') {
      const candidate = { file, source }
      if (quick.length) {
        const asking = { ...options, candidate, stopsAt: 'hang', patience } as const
        const { verdict, fixed, reached, isAnew } = await runTests(bench, quick, asking)
        if (verdict !== 'passes' && !fixed.length) return { verdict, reached, isAnew }
      }
      return runAll([asked, others, refusers, coveringOf(file), fault.passing], candidate, patience)
    },
    async runFailing(file, source, patience = 'full') {
      const candidate = { file, source }
      return (await runTests(bench, fault.failing, { ...options, candidate, stopsAt: 'hang', patience })).fixed
    },
    async runPassing(file, source) {
      return (await runAll([refusers, coveringOf(file), fault.passing], { file, source })).verdict
    },
    async tell(file, source) {
      const results: TestResult[] = []
      for (const tests of [fault.failing, fault.passing]) {
        if (!tests.length || results.some((test) => !test.isPassing)) continue
        const job = jobOf(tests, { ...options, candidate: { file, source }, stopsAt: 'end' })
        const answer = await bench.run(job)
        results.push(...tests.map((test) => resultOf(test, answer?.tests ?? [])))
      }
      return results
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

function resultOf({ file, name, ms }: CoveringTest, tests: TestResult[]): TestResult {
  const own = tests.filter((test) => test.file === file && (name === '' || test.name === name))
  const failed = own.find((test) => !test.isPassing)
  const error = own.length
    ? (failed?.error ?? null)
    : 'It was not run: the change ended the process, or the test is gone.'
  return { file, name, ms, isPassing: own.length > 0 && !failed, error }
}

type Ran = Required<Tried>

type RunTests = {
  candidate: { file: string; source: string }
  limits: RepairLimits
  stopsAt: StopsAt
  patience?: Patience
  /** Tests that are only run with all others of their files. */
  together: CoveringTest[]
  loadMs: Record<string, number>
}

/** The first one of each file, then the second ones: those of one file may all fail for a reason of their own. */
function byTurns(tests: CoveringTest[]): CoveringTest[] {
  const files = [...Map.groupBy(tests, ({ file }) => file).values()]
  const turns = Math.max(0, ...files.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) => files.flatMap((own) => own[turn] ?? [])).flat()
}

/** None where that would save little. */
function quickOf(tests: CoveringTest[]): CoveringTest[] {
  const msOf = (test: CoveringTest) => (test.isHanging ? Infinity : test.ms)
  const allMs = tests.reduce((sum, test) => sum + msOf(test), 0)
  if (allMs < SLOW_MS) return []
  let ms = 0
  return tests.toSorted((a, b) => msOf(a) - msOf(b)).filter((test) => (ms += msOf(test)) < QUICK_SHARE * allMs)
}

async function runTests(bench: LastingBench, tests: CoveringTest[], options: RunTests): Promise<Ran> {
  if (!tests.length) return { verdict: 'passes', fixed: [], reached: {}, isAnew: false }
  const answer = await bench.run(jobOf(tests, options))
  if (!answer) return { verdict: 'hangs', fixed: [], reached: {}, isAnew: false }
  const isAnew = answer.isQuick === false
  const isHanging = answer.timedOut || answer.tests.some(isTimedOut)
  const others = new Set(othersOf(tests, options.together).map(testId))
  const asked = answer.tests.filter((test) => !others.has(testId(test)))
  const fixed = asked.filter((test) => test.isPassing).map(testId)
  const failed = asked.filter((test) => !test.isPassing)
  const reached = Object.fromEntries(failed.map((test) => [testId(test), linesReached(test)]))
  if (isHanging) return { verdict: 'hangs', fixed, reached, isAnew }
  // A candidate that makes tests vanish fixes nothing.
  const namedCount = tests.filter((test) => test.name !== '').length
  const isFine = fixed.length >= Math.max(namedCount, 1) && fixed.length === asked.length
  return { verdict: isFine ? 'passes' : 'fails', fixed, reached, isAnew }
}

function jobOf(tests: CoveringTest[], { candidate, limits, stopsAt, patience, together, loadMs }: RunTests): BenchJob {
  const others = othersOf(tests, together)
  const run = [...tests, ...others]
  const slowestMs = Math.max(...run.map((test) => (test.isHanging ? 0 : test.ms)))
  const sumMs = run.reduce((sum, test) => sum + test.ms, 0)
  const testMs = Math.round(patience === 'brief' ? limits.firstTestMs + 3 * slowestMs : limits.testMs + 10 * slowestMs)
  const files = groupByFile(tests, new Set(others.map(({ file }) => file)))
  const loadingMs = files.reduce((sum, { file }) => sum + (loadMs[file] ?? 0), 0)
  return {
    files,
    candidate,
    isCovering: false,
    stopsAt: stopsAt === 'failure' && others.length ? 'hang' : stopsAt,
    testMs,
    totalMs: Math.round(2 * testMs + 3 * Math.min(sumMs + loadingMs, 20_000) + 1_000),
  }
}

/** What runs besides, as tests of the same files need it. */
function othersOf(tests: CoveringTest[], together: CoveringTest[]): CoveringTest[] {
  const [files, ids] = [new Set(tests.map(({ file }) => file)), new Set(tests.map(testId))]
  return together.filter((test) => files.has(test.file) && !ids.has(testId(test)))
}

/** `whole`: files of which all tests are run. */
export function groupByFile(tests: CoveringTest[], whole: ReadonlySet<string> = new Set()): BenchJob['files'] {
  const groups = new Map<string, string[] | null>()
  for (const { file, name } of tests) {
    const names = groups.get(file)
    if (name === '' || names === null || whole.has(file)) groups.set(file, null)
    else groups.set(file, [...(names ?? []), name])
  }
  return [...groups].map(([file, names]) => ({ file, names }))
}

function openFreshTrial(turn: Pick<Turn, 'sandbox'>, broken: Broken, limits: RepairLimits, signal: AbortSignal): Trial {
  const { suite, before } = broken
  const aside = leftAside(broken)
  const failed = failedIds(before.tests)
  const timeoutMs = Math.min(limits.suiteMs, Math.round(before.seconds * 3_000 + 2_000))
  const stuckMs = Math.min(limits.stuckMs, 2_000 + 3 * Math.max(0, ...before.tests.map((test) => test.ms)))
  const allFiles = new Set(before.tests.map((test) => test.file))
  const failing = [...new Set(before.tests.filter((test) => !test.isPassing && test.file).map((test) => test.file))]
  const run = (file: string, source: string, files?: string[]) =>
    runSuite(turn.sandbox, suite, { candidate: { file, source }, stuckMs, timeoutMs, signal, ...(files && { files }) })
  const fixedBy = ({ tests }: SuiteResult) =>
    tests.filter((test) => test.isPassing && failed.includes(testId(test))).map(testId)
  const judge = (result: SuiteResult, isFine: boolean): Tried => {
    if (result.timedOut) return { verdict: 'hangs', fixed: [] }
    return { verdict: isFine ? 'passes' : 'fails', fixed: fixedBy(result) }
  }
  return {
    async run(file, source) {
      // The files that fail refuse nearly every candidate.
      if (canSelect(suite) && failing.length && failing.length < allFiles.size) {
        const first = await run(file, source, failing)
        const isFine = first.tests.length > 0 && failedIds(first.tests).every((id) => aside.includes(id))
        if (first.timedOut || !isFine) return judge(first, isFine)
      }
      const result = await run(file, source)
      return judge(result, isFixed(before, result, aside))
    },
    runFailing: async (file, source) => fixedBy(await run(file, source)),
    async runPassing(file, source) {
      const result = await run(file, source)
      return judge(result, isFixed(before, result, [...aside, ...failed])).verdict
    },
    async [Symbol.asyncDispose]() {},
  }
}

function canSelect(suite: Suite): boolean {
  return !['command', 'mocha', 'tape', 'ava'].includes(suite.runner)
}
