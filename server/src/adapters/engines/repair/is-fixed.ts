import { failedIds, type SuiteResult, testId } from './suite.ts'

/** No test fails, none that passed has gone, and the command itself is content. The tests in `aside` don't count. */
export function isFixed(before: SuiteResult, after: SuiteResult, aside: string[]): boolean {
  if (after.timedOut || after.tests.length < before.tests.length) return false
  if (failedIds(after.tests).some((id) => !aside.includes(id))) return false
  if (after.exitCode !== 0 && !aside.length) return false
  const passing = new Set(after.tests.filter((test) => test.isPassing).map(testId))
  return before.tests.every((test) => {
    const id = testId(test)
    return aside.includes(id) || passing.has(id) || (!test.isPassing && test.name === '')
  })
}
