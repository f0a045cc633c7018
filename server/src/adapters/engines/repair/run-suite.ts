import type { ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { readText, runCommand, toolFolder } from './run-command.ts'
import { isVendorPath, type Suite, type SuiteResult, type TestResult } from './suite.ts'

const TAIL_CHARACTERS = 4_000
const REPORT_BYTES_MAX = 64 * 1024 * 1024
const MARK = '\n@runwright '

export type RunSuite = {
  /** Takes the place of one file of the workspace, without touching it. */
  candidate?: { file: string; source: string }
  stuckMs: number
  timeoutMs: number
  /** Only these, where the runner can. */
  files?: string[]
  signal: AbortSignal
}

/** Runs a suite with the project's own command in fresh processes, and reads what came of each test. */
export async function runSuite(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  return suite.language === 'python' ? runPython(sandbox, suite, options) : runNode(sandbox, suite, options)
}

async function runNode(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  const tools = toolFolder(sandbox)
  const report = `${tools}/report.jsonl`
  await sandbox.writeFile(report, Buffer.alloc(0))
  const env: Record<string, string> = {
    NODE_OPTIONS: `--import=${tools}/node-preload.mjs --test-reporter=${tools}/node-reporter.mjs --test-reporter-destination=${report}`,
    RUNWRIGHT_STUCK_MS: String(options.stuckMs),
    CI: '1',
  }
  if (options.candidate) {
    env.RUNWRIGHT_CANDIDATE = `${tools}/candidate.json`
    const { file, source } = options.candidate
    const candidate = { file: `${sandbox.paths.workspace}/${file}`, source }
    await sandbox.writeFile(env.RUNWRIGHT_CANDIDATE, Buffer.from(JSON.stringify(candidate)))
  }
  const request: ExecRequest = {
    // The same Node as the bench's, so that both say the same; the system's may be too old to load TypeScript.
    shell: `export PATH="$PWD/node_modules/.bin:${sandbox.paths.nodeFolder}:$PATH"; ${suite.command}`,
    cwd: inWorkspace(sandbox, suite.folder),
    env,
    timeoutMs: options.timeoutMs,
    outputBytesMax: limits.commandOutputBytesMax,
  }
  const result = await runCommand(sandbox, request, options.signal)
  const reported = readNodeReport((await readText(sandbox, report, REPORT_BYTES_MAX)) ?? '', sandbox.paths.workspace)
  return {
    exitCode: result.exitCode,
    seconds: result.durationMs / 1000,
    timedOut: result.reason === 'timeout',
    tests: reported.length ? reported : wholeCommand(suite, result),
    outputTail: result.output.toString('utf8').slice(-TAIL_CHARACTERS),
  }
}

/** A command that node's test runner has no part in is one test: it passes when it exits with 0. */
function wholeCommand(suite: Suite, result: ExecResult): TestResult[] {
  const { exitCode, reason, durationMs } = result
  const hasRun = exitCode !== null && exitCode < 126 && reason === 'exited'
  if (!hasRun || /--test\b/.test(suite.command)) return []
  const error = exitCode === 0 ? null : result.output.toString('utf8').slice(-TAIL_CHARACTERS)
  return [{ file: suite.folder, name: suite.command, isPassing: exitCode === 0, ms: durationMs, error }]
}

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

async function runPython(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  const tools = toolFolder(sandbox)
  const files = options.files ?? suite.files
  const { candidate } = options
  const job = {
    id: 0,
    files: files.map((file) => ({ file: inWorkspace(sandbox, file), names: null })),
    sources: candidate ? { [inWorkspace(sandbox, candidate.file)]: candidate.source } : null,
    testMs: options.stuckMs,
    totalMs: options.timeoutMs,
  }
  const config = { workspace: sandbox.paths.workspace, usesPytest: suite.runner === 'pytest', files: [], job }
  await sandbox.writeFile(`${tools}/once.json`, Buffer.from(JSON.stringify(config)))
  const request: ExecRequest = {
    argv: [suite.python ?? 'python3', `${tools}/python_bench.py`, `${tools}/once.json`, '--once'],
    timeoutMs: options.timeoutMs + 5_000,
    outputBytesMax: REPORT_BYTES_MAX,
    env: { CI: '1' },
  }
  const result = await runCommand(sandbox, request, options.signal)
  const answer = readAnswer(result.stdout.toString('utf8'))
  const isPassing = answer?.tests.every((test) => test.isPassing) ?? false
  return {
    exitCode: result.exitCode === 0 && !isPassing ? 1 : result.exitCode,
    seconds: result.durationMs / 1000,
    timedOut: result.reason === 'timeout',
    tests: answer?.tests ?? [],
    outputTail: answer ? '' : result.output.toString('utf8').slice(-TAIL_CHARACTERS),
  }
}

function readAnswer(stdout: string): { tests: TestResult[] } | null {
  const at = stdout.lastIndexOf(MARK)
  if (at < 0) return null
  const answer = JSON.parse(stdout.slice(at + MARK.length).split('\n')[0] ?? '') as { tests: TestResult[] }
  return { tests: answer.tests.map(({ file, name, isPassing, ms, error }) => ({ file, name, isPassing, ms, error })) }
}

function inWorkspace(sandbox: Sandbox, file: string): string {
  return file ? `${sandbox.paths.workspace}/${file}` : sandbox.paths.workspace
}

function relativeTo(workspace: string, file: string): string {
  return file.startsWith(`${workspace}/`) ? file.slice(workspace.length + 1) : file
}
