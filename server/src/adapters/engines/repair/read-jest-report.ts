import { isVendorPath, type TestResult } from './suite.ts'
import { relativeTo } from './read-node-report.ts'

const TESTS_MAX = 20_000
const ERROR_CHARACTERS = 2_000

type Assertion = {
  ancestorTitles?: string[]
  title?: string
  status?: string
  duration?: number | null
  failureMessages?: string[]
}
type JestReport = {
  testResults?: { name?: string; status?: string; message?: string; assertionResults?: Assertion[] }[]
}

/** What jest writes with `--json`, and vitest as well. A file that does not load is told of as ''. */
export function readJestReport(text: string, workspace: string): TestResult[] {
  const report = parse(text)
  if (!Array.isArray(report?.testResults)) return []
  const tests = report.testResults.flatMap(({ name, status, message, assertionResults = [] }): TestResult[] => {
    const file = relativeTo(workspace, name ?? '')
    if (isVendorPath(file)) return []
    const tests = assertionResults.flatMap((one) => readAssertion(file, one))
    if (status !== 'failed' || tests.some((test) => !test.isPassing)) return tests
    return [...tests, { file, name: '', isPassing: false, ms: 0, error: plain(message ?? 'The file failed.') }]
  })
  return tests.slice(0, TESTS_MAX)
}

function readAssertion(file: string, one: Assertion): TestResult[] {
  if (one.status !== 'passed' && one.status !== 'failed') return []
  const name = [...(one.ancestorTitles ?? []), one.title ?? ''].filter(Boolean).join(' > ')
  const isPassing = one.status === 'passed'
  const error = isPassing ? null : plain((one.failureMessages ?? []).join('\n'))
  return [{ file, name, isPassing, ms: one.duration ?? 0, error }]
}

function parse(text: string): JestReport | null {
  try {
    return JSON.parse(text) as JestReport | null
  } catch {
    return null
  }
}

/** Without the colors of a terminal. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[\d;]*m/g, '').slice(0, ERROR_CHARACTERS)
}
