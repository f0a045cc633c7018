import type { Language } from './languages.ts'

export type Runner = 'node' | 'jest' | 'vitest' | 'mocha' | 'tape' | 'ava' | 'pytest' | 'unittest' | 'go' | 'command'

/** A set of tests that one runner runs, and what came of running them. */
export type Suite = {
  language: Language
  /** `command` is any other program, of which only its end is known. */
  runner: Runner
  /** As a person would type it. */
  command: string
  /** What must run before it, such as a build: '' for nothing. */
  prepare: string
  /** What the same script does besides, such as a linter: left out. */
  leftOut: string[]
  /** Where it is run, relative to the workspace: '' for its root. */
  folder: string
  /** Python: the interpreter. */
  python: string | null
  /** Python and AVA: the test files, relative to the workspace. Other runners of Node find theirs, and name them. */
  files: string[]
  /** Python: the tests of each file that are run; left out: all. */
  names?: Record<string, string[]>
}

/** `name` is '' where a whole file failed, such as one that does not load. */
export type TestResult = { file: string; name: string; isPassing: boolean; ms: number; error: string | null }

export type SuiteResult = {
  exitCode: number | null
  seconds: number
  timedOut: boolean
  tests: TestResult[]
  /** What the command wrote, its end; for a run that told of no test. */
  outputTail: string
}

/** Names a test in logs and keeps it apart from others. */
export function testId(test: { file: string; name: string }): string {
  if (!test.file) return test.name
  return test.name ? `${test.file} > ${test.name}` : test.file
}

export function isPython({ runner }: Pick<Suite, 'runner'>): boolean {
  return languageOf(runner) === 'python'
}

/** The language whose tests a runner runs; where any may be, JavaScript. */
export function languageOf(runner: Runner): Language {
  if (runner === 'pytest' || runner === 'unittest') return 'python'
  return runner === 'go' ? 'go' : 'javascript'
}

export function isSameSuite(one: Suite, other: Suite): boolean {
  return one.command === other.command && one.folder === other.folder
}

/** Whether its tests can be run one by one in a process that has everything loaded. Others are tried there, too. */
export function canBeWarm(suite: Suite): boolean {
  return !suite.prepare && suite.runner !== 'command'
}

/** Whether it was ended for its time. */
export function isTimedOut({ error }: TestResult): boolean {
  return /timed out/i.test(error ?? '')
}

export function failedIds(tests: TestResult[]): string[] {
  return tests.filter((test) => !test.isPassing).map(testId)
}

/** Whether a path is a test's own, which this engine never changes. */
export function isTestPath(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec|specs|fixtures|testdata)\/|(^|[/_-])(tests|testcases)\/|(^|\/)(test_[^/]{0,255}|conftest)\.py$|_test\.(py|go)$|[.\-_](test|spec)\.[cm]?[jt]sx?$|(^|\/)test(-[^/]{0,255})?\.[cm]?[jt]sx?$/.test(
    path,
  )
}

/** Whether a path is other people's code. */
export function isVendorPath(path: string): boolean {
  return /(^|\/)(node_modules|bower_components|vendor|third_party|site-packages|\.?venv|env|\.git|\.tox|\.nox|__pycache__|dist|build)\//.test(
    path,
  )
}
