import { isVendorPath, type TestResult } from './suite.ts'

/** Of one run, and how deep they lie in each other. */
const REPORTS_MAX = 20_000
const NESTED_MAX = 40

type NodeReport = {
  file: string | null
  names: string[]
  isSuite: boolean
  isSkipped: boolean
  isPassing: boolean
  ms: number
  error: string | null
}

/** Tests of node's reporter by the names the bench gives: a subtest counts as its test, a whole file as ''. */
export function readNodeReport(text: string, workspace: string): TestResult[] {
  const reports = text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .slice(0, REPORTS_MAX)
    .flatMap((line) => parseReport(line) ?? [])
  const groups = new Set(reports.filter((report) => report.isSuite).map((report) => keyOf(report, report.names)))
  // The groups that a failing test is in, and itself.
  const failing = new Set(
    reports
      .filter((report) => !report.isSuite && !report.isPassing)
      .flatMap((report) =>
        [0, ...report.names.keys().map((at) => at + 1)].map((depth) => keyOf(report, report.names.slice(0, depth))),
      ),
  )
  const tests: TestResult[] = []
  for (const report of reports) {
    const file = relativeTo(workspace, report.file ?? '')
    if (report.isSkipped || isVendorPath(file)) continue
    const { isPassing, ms, error } = report
    if (report.isSuite) {
      // A group fails with its tests; it is told only when a hook of it failed.
      const inside = failing.has(keyOf(report, report.names))
      if (!isPassing && !inside) tests.push({ file, name: '', isPassing, ms, error })
      continue
    }
    const isSubtest = report.names.some((_, depth) => {
      return depth > 0 && !groups.has(keyOf(report, report.names.slice(0, depth)))
    })
    if (isSubtest) continue
    const isWholeFile = report.names.length === 1 && report.file?.endsWith(report.names[0] ?? '') === true
    tests.push({ file, name: isWholeFile ? '' : report.names.join(' > '), isPassing, ms, error })
  }
  return addSubtestErrors(tests, reports, workspace)
}

/** A test that failed only through its subtests says so; the subtest's own error says more. */
function addSubtestErrors(tests: TestResult[], reports: NodeReport[], workspace: string): TestResult[] {
  const errors = new Map<string, string | null>()
  for (const { isPassing, file, names, error } of reports) {
    if (isPassing) continue
    for (let depth = 1; depth < names.length; depth++) {
      const key = JSON.stringify([relativeTo(workspace, file ?? ''), names.slice(0, depth).join(' > ')])
      if (!errors.has(key)) errors.set(key, error)
    }
  }
  return tests.map((test) => {
    if (test.isPassing || !/subtests? failed/.test(test.error ?? '')) return test
    return { ...test, error: errors.get(JSON.stringify([test.file, test.name])) ?? test.error }
  })
}

function keyOf(report: NodeReport, names: string[]): string {
  return JSON.stringify([report.file, ...names])
}

/** What the reporter writes; a test that prints such a line itself may have written anything. */
function parseReport(line: string): NodeReport | undefined {
  try {
    const report = JSON.parse(line) as NodeReport | null
    return Array.isArray(report?.names) && report.names.length <= NESTED_MAX ? report : undefined
  } catch {
    return undefined
  }
}

export function relativeTo(workspace: string, file: string): string {
  return file.startsWith(`${workspace}/`) ? file.slice(workspace.length + 1) : file
}
