import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { ExecRequest, ExecResult, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { limits } from '#base/limits.ts'
import { exportPath, inWorkspace, runCommand, toolFolder } from './run-command.ts'
import { readJestReport } from './read-jest-report.ts'
import { readNodeReport } from './read-node-report.ts'
import { readTap } from './read-tap.ts'
import { replaceFile } from './replace-file.ts'
import { runnerCommand } from './runner-command.ts'
import { languages } from './languages.ts'
import { type Suite, type SuiteResult, type TestResult } from './suite.ts'

const TAIL_CHARACTERS = 4_000
const REPORT_BYTES_MAX = 64 * 1024 * 1024
const MARK = '\n@runwright '

export type RunSuite = {
  /** Takes the place of one file of the workspace while the suite runs. */
  candidate?: { file: string; source: string }
  stuckMs: number
  timeoutMs: number
  /** Only these, where the runner can. */
  files?: string[]
  signal: AbortSignal
}

/** Runs a suite with the project's own command in fresh processes, and reads what came of each test. */
export async function runSuite(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  return languages[suite.language].runsSuites && suite.runner !== 'command'
    ? runByBench(sandbox, suite, options)
    : runByCommand(sandbox, suite, options)
}

async function runByCommand(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  const tools = toolFolder(sandbox)
  const reports = `${tools}/reports-${randomUUID()}`
  const report = `${reports}/report.json`
  const folder = inWorkspace(sandbox, suite.folder)
  const files = options.files?.map((file) => path.posix.relative(suite.folder, file))
  const command = runnerCommand(suite.runner, suite.command, { tools, report }, files)
  const preloads = ['node-preload.mjs', ...(suite.runner === 'tape' ? ['tape-reporter.mjs'] : [])]
  const request: ExecRequest = {
    shell: `mkdir -p ${reports}; ${exportPath(sandbox)}
${suite.prepare ? `{ ${suite.prepare}; } && ` : ''}${command}`,
    cwd: folder,
    env: {
      NODE_OPTIONS: `${preloads.map((name) => `--import=${tools}/${name} `).join('')}--test-reporter=${tools}/node-reporter.mjs --test-reporter-destination=${tools}/unused.txt`,
      RUNWRIGHT_REPORTS: reports,
      RUNWRIGHT_STUCK_MS: String(options.stuckMs),
      CI: '1',
    },
    timeoutMs: options.timeoutMs,
    outputBytesMax: limits.commandOutputBytesMax,
  }
  const run = () => runCommand(sandbox, request, options.signal)
  const result = await (options.candidate ? replaceFile(sandbox, options.candidate, run) : run())
  const tests = await readReports(sandbox, suite, result, reports, options.signal)
  const isSilent = !tests.length || (result.exitCode !== 0 && tests.every((test) => test.isPassing))
  return {
    exitCode: result.exitCode,
    seconds: result.durationMs / 1000,
    timedOut: result.reason === 'timeout',
    tests: isSilent ? [...tests, ...wholeCommand(suite, result)] : tests,
    outputTail: result.output.toString('utf8').slice(-TAIL_CHARACTERS),
  }
}

async function readReports(
  sandbox: Sandbox,
  suite: Suite,
  result: ExecResult,
  reports: string,
  signal: AbortSignal,
): Promise<TestResult[]> {
  if (suite.runner === 'ava') return readTap(result.stdout.toString('utf8'), suite.files)
  const shell = `cat ${reports}/*; rm -rf ${reports}`
  const read = await runCommand(sandbox, { shell, timeoutMs: 30_000, outputBytesMax: REPORT_BYTES_MAX }, signal)
  const text = read.stdout.toString('utf8')
  const isJson = suite.runner === 'jest' || suite.runner === 'vitest'
  return (isJson ? readJestReport : readNodeReport)(text, sandbox.paths.workspace)
}

/** A command that told of no test, or of none that fails though it failed, is one test: it passes when it exits with 0. */
function wholeCommand(suite: Suite, result: ExecResult): TestResult[] {
  const { exitCode, reason, durationMs } = result
  const hasRun = exitCode !== null && exitCode < 126 && reason === 'exited'
  if (!hasRun || (suite.runner === 'node' && exitCode === 0)) return []
  const error = exitCode === 0 ? null : result.output.toString('utf8').slice(-TAIL_CHARACTERS)
  return [{ file: suite.folder, name: suite.command, isPassing: exitCode === 0, ms: durationMs, error }]
}

async function runByBench(sandbox: Sandbox, suite: Suite, options: RunSuite): Promise<SuiteResult> {
  const tools = toolFolder(sandbox)
  const files = options.files ?? suite.files
  const { candidate } = options
  const job = {
    id: 0,
    files: files.map((file) => ({ file: inWorkspace(sandbox, file), names: suite.names?.[file] ?? null })),
    sources: candidate ? { [inWorkspace(sandbox, candidate.file)]: candidate.source } : null,
    testMs: options.stuckMs,
    totalMs: options.timeoutMs,
  }
  const { folder } = suite
  const { workspace, nodeFolder } = sandbox.paths
  const config = {
    workspace,
    folder,
    command: suite.command,
    usesPytest: suite.runner === 'pytest',
    files: [],
    job,
  }
  await sandbox.writeFile(`${tools}/once.json`, Buffer.from(JSON.stringify(config)))
  const request: ExecRequest = {
    argv: [
      ...languages[suite.language].bench({ tools, nodeFolder, python: suite.python }),
      `${tools}/once.json`,
      '--once',
    ],
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
