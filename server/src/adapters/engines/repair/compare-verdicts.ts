import { isTimedOut, type TestResult, testId } from './suite.ts'

/**
 * `differing`: tests that fail in the bench alone. `unasked`: tests that fail with the project's own command, but not there, or for
 * another reason: the bench cannot be asked of them.
 */
export type Comparison = { isWarm: boolean; differing: string[]; unasked: string[] }

/** So many of all tests may differ, such as those that need what only their runner has. */
const DIFFERING_SHARE_MAX = 0.2

/**
 * Whether the bench says of the unmodified program what the project's own command says: some failing test fails there, for
 * the same reason, and nearly all others say the same. One that was ended for its time was slow because it was watched.
 */
export function compareVerdicts(fresh: TestResult[], warm: TestResult[], ignored: ReadonlySet<string>): Comparison {
  const failsFresh = fresh.filter((test) => !test.isPassing && !ignored.has(testId(test)))
  const wholeFiles = new Set(failsFresh.filter((test) => test.name === '').map((test) => test.file))
  const errors = new Map(failsFresh.map((test) => [testId(test), test.error]))
  const failsWarm = new Map(warm.filter((test) => !test.isPassing).map((test) => [testId(test), test.error]))
  const isKnown = (test: TestResult) =>
    test.name === ''
      ? warm.some((one) => one.file === test.file && !one.isPassing)
      : failsWarm.has(testId(test)) && isAlike(test.error, failsWarm.get(testId(test)) ?? null)
  const isExplained = (test: TestResult) => test.isPassing || errors.has(testId(test)) || wholeFiles.has(test.file)
  const differing = warm.filter((test) => !isExplained(test)).map(testId)
  const count = warm.filter((test) => !isExplained(test) && !isTimedOut(test)).length
  const unasked = failsFresh.filter((test) => !isKnown(test)).map(testId)
  const isWarm = unasked.length < failsFresh.length && count <= DIFFERING_SHARE_MAX * warm.length
  return { isWarm, differing, unasked: isWarm ? unasked : [] }
}

/** A test that fails in the bench for want of something fails whatever is changed. Only such a reason sets two errors apart: runners word the others as they like. */
function isAlike(fresh: string | null, warm: string | null): boolean {
  const lacks = (error: string | null) => LACKS.exec(error ?? '')?.[0]
  const missing = lacks(warm)
  return missing === undefined || (fresh ?? '').includes(missing)
}

const LACKS =
  /[\w$.]{1,100} is not defined|[\w$.]{1,100} is not a function|Invalid Chai property: \w{1,100}|does not provide an export named|Cannot find (?:module|package)/
