import { createHash } from 'node:crypto'
import path from 'node:path'
import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import type { BenchAnswer, BenchJob } from './bench.ts'
import { firstSyntaxErrorLine, grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { listFiles } from './find-suites.ts'
import { compareVerdicts } from './compare-verdicts.ts'
import { isSourcePath, languages } from './languages.ts'
import { LastingBench } from './lasting-bench.ts'
import { type CoveringTest, locateFault, type SuspiciousFile } from './locate-fault.ts'
import { raiseNamedAfter, tellingNames } from './raise-named.ts'
import type { RepairLimits } from './repair-limits.ts'
import { readText } from './run-command.ts'
import { type Broken, leftAside } from './run-tests.ts'
import { canBeWarm, isTestPath, isTimedOut, type Suite, type SuiteResult, type TestResult, testId } from './suite.ts'

const SHOWN_LINES = 12
/** One file with tests that fail may take as long again. */
const SURVEY_MS = 60_000
/** Tests that take longer than this together are not run apart to see whether they need each other. */
const APART_MS = 10_000
/** Tests of one file that take longer than this together; watched, they may take twenty times as long. */
const LONG_MS = 2_000
const EVERY_FILE_MAX = 25
const EVERY_LINE_MAX = 1_000
const UNKNOWN_SUSPICION = 0.2
const SYNTAX_FILES_MAX = 500

export type Fault = {
  files: SuspiciousFile[]
  /** Of each file as it was, so that a later step can tell whether it still is. */
  hashes: Record<string, string>
  /** Warm: tests run in a process that has everything loaded. Fresh: where that gives another verdict. */
  mode: 'warm' | 'fresh'
  failing: CoveringTest[]
  /** Those that fail with the project's own command alone: it says of a change what they say. */
  unasked?: string[]
  passing: CoveringTest[]
  /** Files whose tests need those before them: they are run as a whole. */
  together?: string[]
  /** By test file: how long it took to load, watched. */
  loadMs?: Record<string, number>
}

/** Runs each test alone, notes which lines it runs, and ranks them. */
export async function findFault(turn: Turn, broken: Broken, limits: RepairLimits): Promise<Fault> {
  return turn.step(
    { key: `t${turn.number}/locate`, kind: 'tool', request: { tool: 'locate_fault', command: broken.suite.command } },
    async (signal) => {
      const began = performance.now()
      const fault = await measureFault(turn, broken, limits, signal)
      const lines = topLines(fault)
      return {
        response: fault,
        entries: [
          {
            messageType: 'ACTION',
            toolName: 'locate_fault',
            thought: 'A line that failing tests run and passing tests do not is where the fault is likely to be.',
            toolInput: { method: 'ochiai', tests: fault.failing.length + fault.passing.length, mode: fault.mode },
            toolOutput: { files: fault.files.map((file) => file.file), lines },
            observation: `Most suspicious lines:\n${lines.map((line) => `${line.file}:${line.line} (${line.suspicion})`).join('\n')}`,
            durationMs: Math.round(performance.now() - began),
          },
        ],
      }
    },
  )
}

type Inside = Pick<Turn, 'sandbox'>

export async function measureFault(
  turn: Inside,
  broken: Broken,
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<Fault> {
  const { suite, before } = broken
  const ignored = new Set(leftAside(broken))
  const testFiles = [...new Set(before.tests.map((test) => test.file))].filter(isSourcePath)
  const { answers, together, loadMs } = canBeWarm(suite)
    ? await survey(turn, broken, testFiles, limits, signal)
    : { answers: [], together: [], loadMs: {} }
  const ran = answers.flatMap((answer) => answer.tests).filter((test) => !ignored.has(testId(test)))
  const { isWarm, differing, unasked } = compareVerdicts(before.tests, ran, ignored)
  const mode = isWarm ? 'warm' : 'fresh'
  // Of these the verification says the last word: fresh processes run them.
  for (const id of [...differing, ...unasked]) ignored.add(id)
  const tests = ran.filter((test) => !ignored.has(testId(test)))
  takeVerdicts(before.tests, answers)
  let files = locateFault(
    answers.map((answer) => withEarlierLines(answer, together)),
    ignored,
  )
  if (tests.some((test) => test.name === '' && !test.isPassing) || !files.length) {
    await refuseSyntaxErrors(turn, [before.outputTail, ...errorsOf([...before.tests, ...ran])], signal)
  }
  if (!files.length) files = raiseNamed(await everyLine(turn, suite, signal), before)
  const measured = new Set(tests.map(testId))
  const unmeasured = before.tests.filter((test) => test.isPassing && !measured.has(testId(test)))
  // In the order of the project: tests that share state rely on it.
  const places = new Map(before.tests.map((test, at) => [testId(test), at]))
  const placeOf = (test: TestResult) => places.get(testId(test)) ?? Infinity
  // Watched, a test takes longer than it will with a candidate, and may have been ended for that.
  const plain = (test: TestResult) => before.tests[placeOf(test)] ?? test
  const all = [...tests, ...unmeasured]
    .filter((test) => !ignored.has(testId(test)))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
  const testsThat = (isPassing: boolean): CoveringTest[] =>
    all
      .filter((test) => test.isPassing === isPassing)
      .map((test) => ({
        file: test.file,
        name: test.name,
        ms: Math.min(test.ms, plain(test).ms),
        isPassing,
        isHanging: isTimedOut(plain(test)),
      }))
  const [failing, passing] = [testsThat(false), testsThat(true)]
  const tellingOf = tellingNames(failing, passing)
  const hashes: Record<string, string> = {}
  const raised: SuspiciousFile[] = []
  for (const one of files) {
    const source = await readSource(turn, one.file)
    hashes[one.file] = hashOf(source)
    raised.push(raiseNamedAfter(one, source, tellingOf))
  }
  return { files: raised, hashes, mode, failing, unasked, passing, together, loadMs }
}

type Survey = { answers: BenchAnswer[]; together: string[]; loadMs: Record<string, number> }

async function survey(
  turn: Inside,
  { suite, before }: Broken,
  testFiles: string[],
  limits: RepairLimits,
  signal: AbortSignal,
): Promise<Survey> {
  const answers: BenchAnswer[] = []
  const together: string[] = []
  const loadMs: Record<string, number> = {}
  await using bench = await LastingBench.open(turn.sandbox, suite, testFiles, signal)
  const until = performance.now() + SURVEY_MS
  // Watching what runs is slow: where there is no time for all, it is spent on the tests that fail, the quick ones first.
  for (const { file, names, passing, fails, isLast } of inOrder(before, testFiles, suite)) {
    if (performance.now() > until) break
    const slowestMs = Math.max(0, ...passing.map((test) => test.ms))
    const testMs = Math.round(2 * limits.testMs + 10 * slowestMs)
    const began = performance.now()
    const totalMs = Math.round(fails ? SURVEY_MS : until - began)
    const job = { candidate: null, isCovering: true, stopsAt: 'end', testMs, totalMs } as const
    const answer = await watch(bench, { ...job, files: [{ file, names }] })
    answers.push(answer)
    const testsMs = answer.tests.reduce((sum, { ms }) => sum + ms, 0)
    loadMs[file] ??= Math.max(0, Math.round(performance.now() - began - testsMs))
    if (!isLast || !fails) continue
    const tests = answers.flatMap((one) => one.tests)
    if (await needEachOther(bench, file, { job, tests })) together.push(file)
  }
  return { answers, together, loadMs }
}

/** How much sooner a test is ended that takes the process along, such as one that fills the memory. */
const SOONER = [1, 5, 25]

async function watch(bench: LastingBench, job: BenchJob): Promise<BenchAnswer> {
  for (const part of SOONER) {
    const answer = await bench.run({ ...job, testMs: Math.ceil(job.testMs / part) })
    if (answer) return answer
  }
  const { file } = job.files[0]!
  throw new EngineError(
    'engine_error',
    `The tests of ${file} end the process that runs them, however soon they are ended.`,
  )
}

/** Some tests of a file, and what is known of all of them: those that pass, and whether others fail. */
type Part = { file: string; names: string[] | null; passing: TestResult[]; fails: boolean; isLast: boolean }

/** The parts in which files are watched: what fails, the rest of its files, the other files. */
function inOrder(before: SuiteResult, testFiles: string[], suite: Suite): Part[] {
  const tests = Map.groupBy(before.tests, ({ file }) => file)
  const parts = testFiles.flatMap((file) => {
    const own = tests.get(file) ?? []
    const passing = own.filter((test) => test.isPassing)
    const ms = own.reduce((sum, test) => sum + (test.isPassing ? 0 : test.ms), 0)
    const fails = passing.length < own.length
    const all = partsOf(own, suite.names?.[file] ?? null)
    return all.map((names, at) => {
      const isLast = at === all.length - 1
      return { file, names, passing, fails, isLast, rank: fails ? at : 2, ms }
    })
  })
  return parts.sort((a, b) => a.rank - b.rank || a.ms - b.ms)
}

/** A file's tests as they are watched: where that takes long, those that fail come first, by themselves. */
function partsOf(tests: TestResult[], names: string[] | null): (string[] | null)[] {
  const own = tests.filter((test) => test.name && (names?.includes(test.name) ?? true))
  const namesThat = (isPassing: boolean) => own.filter((test) => test.isPassing === isPassing).map(({ name }) => name)
  const [failing, passing] = [namesThat(false), namesThat(true)]
  const isLong = own.reduce((sum, { ms }) => sum + ms, 0) > LONG_MS
  return isLong && failing.length && passing.length ? [failing, passing] : [names]
}

/**
 * Whether tests that pass fail where others of their file are left out, such as those that made what they read; or tests that
 * fail pass then, as another one has changed what they share.
 */
async function needEachOther(
  bench: LastingBench,
  file: string,
  { job, tests }: { job: Omit<BenchJob, 'files'>; tests: TestResult[] },
): Promise<boolean> {
  const own = tests.filter((test) => test.file === file && test.name)
  const passing = own.filter((test) => test.isPassing)
  if (!passing.length || own.reduce((sum, { ms }) => sum + ms, 0) > APART_MS) return false
  const runAlone = async (names: string[]) => {
    const answer = await bench.run({ ...job, isCovering: false, files: [{ file, names }] })
    return answer?.tests.filter((test) => test.isPassing) ?? []
  }
  const failing = own.filter((test) => !test.isPassing).map(({ name }) => name)
  if (failing.length && (await runAlone(failing)).length) return true
  const names = passing.map(({ name }) => name)
  const halves = names.length > 1 ? [names.slice(names.length / 2), names.filter((_, at) => at % 2 === 1)] : []
  for (const some of halves) if ((await runAlone(some)).length < some.length) return true
  return false
}

/** Where tests need those before them, what a failing one finds wrong may have been done by any of these. */
function withEarlierLines(answer: BenchAnswer, together: string[]): BenchAnswer {
  const earlier = new Map<string, Set<number>>()
  const tests = answer.tests.map((test) => {
    if (!together.includes(test.file)) return test
    for (const [path, lines] of Object.entries(test.lines ?? {}))
      earlier.set(path, new Set([...(earlier.get(path) ?? []), ...lines]))
    if (test.isPassing) return test
    return { ...test, lines: Object.fromEntries([...earlier].map(([path, lines]) => [path, [...lines]])) }
  })
  return { ...answer, tests }
}

/** The project's own command is right where the two differ. */
function takeVerdicts(fresh: TestResult[], answers: BenchAnswer[]): void {
  const verdicts = new Map(fresh.map((test) => [testId(test), test.isPassing]))
  for (const test of answers.flatMap((answer) => answer.tests)) {
    test.isPassing = verdicts.get(testId(test)) ?? test.isPassing
  }
}

/** The language's own words: there are programs that it reads and a grammar of ours does not. */
const TELLS_OF_SYNTAX =
  /syntax ?error|IndentationError|TabError|unexpected (?:token|identifier|end|EOF)|unterminated|ERR_INVALID_TYPESCRIPT/i

async function refuseSyntaxErrors(turn: Inside, texts: string[], signal: AbortSignal): Promise<void> {
  if (!texts.some((text) => TELLS_OF_SYNTAX.test(text))) return
  const found = await findSyntaxError(turn, signal)
  if (found === null) return
  throw new EngineError(
    'no_fix_found',
    `${found} The repair engine makes small changes to programs that load; it has changed nothing. Fix the syntax error, ` +
      'then start a new run.',
  )
}

/** In words; null: there is none. */
export async function findSyntaxError(turn: Inside, signal: AbortSignal): Promise<string | null> {
  for (const file of (await sourceFiles(turn, signal)).slice(0, SYNTAX_FILES_MAX)) {
    const parser = await openParser(grammarOf(file))
    const line = firstSyntaxErrorLine(parser, await readSource(turn, file))
    if (line !== null) return `${file} can't be read as ${grammarOf(file)}: there is a syntax error near line ${line}.`
  }
  return null
}

function errorsOf(tests: TestResult[]): string[] {
  return tests.map(({ error }) => error ?? '')
}

const ASSERTS = /\b(node:assert|require\(['"]assert|from ['"]assert|chai|unittest|pytest|expect\()/

/** Where nothing could be measured: every line of every source file, all alike, but for what looks like a test. */
async function everyLine(turn: Inside, suite: Suite, signal: AbortSignal): Promise<SuspiciousFile[]> {
  const found: SuspiciousFile[] = []
  for (const file of await sourceFiles(turn, signal)) {
    const isNamed = suite.command.includes(path.basename(file))
    if (!languages[suite.language].sources.test(file) || isNamed) continue
    const source = await readSource(turn, file)
    if (ASSERTS.test(source)) continue
    const count = Math.min(source.split('\n').length, EVERY_LINE_MAX)
    const lines = Object.fromEntries(Array.from({ length: count }, (_, at) => [at + 1, UNKNOWN_SUSPICION]))
    found.push({ file, lines, passing: {}, tests: [] })
    if (found.length === EVERY_FILE_MAX) break
  }
  return found
}

/** Lines that an error's text names, and those near them, come first; then the rest of those files. */
export function raiseNamed(files: SuspiciousFile[], before: SuiteResult): SuspiciousFile[] {
  const text = `${errorsOf(before.tests).join('\n')}\n${before.outputTail}`
  for (const { file, lines } of files) {
    const name = path.basename(file)
    const named = text
      .split(name)
      .slice(1)
      .flatMap((after) => Number(/^(?:"?, line |:)(\d+)/.exec(after)?.[1] ?? 0))
    if (!named.length) continue
    for (const line of Object.keys(lines)) {
      const away = Math.min(...named.map((one) => (one ? Math.abs(one - Number(line)) : 50)))
      lines[line] = Math.round(UNKNOWN_SUSPICION * (1.5 + 2 / (1 + away)) * 1e4) / 1e4
    }
  }
  return files.toSorted((a, b) => Math.max(...Object.values(b.lines)) - Math.max(...Object.values(a.lines)))
}

async function sourceFiles(turn: Inside, signal: AbortSignal): Promise<string[]> {
  const files = await listFiles(turn.sandbox, signal)
  return files.filter((file) => isSourcePath(file) && !isTestPath(file) && !file.endsWith('.d.ts'))
}

export async function readSource(turn: Inside, file: string): Promise<string> {
  return (await readText(turn.sandbox, `${turn.sandbox.paths.workspace}/${file}`)) ?? ''
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function topLines(fault: Pick<Fault, 'files'>): { file: string; line: number; suspicion: number }[] {
  return fault.files
    .flatMap(({ file, lines }) =>
      Object.entries(lines).map(([line, suspicion]) => ({ file, line: Number(line), suspicion })),
    )
    .sort((a, b) => b.suspicion - a.suspicion)
    .slice(0, SHOWN_LINES)
}
