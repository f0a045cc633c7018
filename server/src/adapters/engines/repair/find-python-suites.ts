import path from 'node:path'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { inWorkspace, readText, runCommand } from './run-command.ts'
import { bare, runnerOf } from './split-test-script.ts'
import type { Suite } from './suite.ts'

const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test|tests?)\.py$/
const COLLECT_MS = 60_000

/** By `tox.ini` where it is there, else by the names that pytest and unittest look for. `files`: of the workspace. */
export async function findPythonSuites(sandbox: Sandbox, files: string[], signal: AbortSignal): Promise<Suite[]> {
  const [command] = await readTox(sandbox, files)
  if (!command && !files.some((file) => PYTHON_TEST.test(file))) return []
  const python = await findPython(sandbox, signal)
  if (!python) return []
  const usual = python.hasPytest ? 'python -m pytest' : 'python -m unittest'
  return [pythonSuite({ command: command ?? usual, files, folder: '' }, python)]
}

/** The commands of tox that run tests, as they stand in `tox.ini`; tox itself would make an environment and install into it. */
export async function readTox(sandbox: Sandbox, files: string[]): Promise<string[]> {
  if (!files.includes('tox.ini')) return []
  return readToxCommands((await readText(sandbox, `${sandbox.paths.workspace}/tox.ini`, 1_000_000)) ?? '')
}

export function readToxCommands(text: string): string[] {
  const commands: string[] = []
  let isWithin = false
  // A line goes on in the next one after a backslash.
  for (const line of text.replace(/\\\n\s*/g, '').split('\n')) {
    const key = /^(\w+)\s{0,20}=(.*)$/.exec(line)
    if (key) isWithin = key[1] === 'commands'
    else if (/^\S/.test(line)) isWithin = false
    // `tests: pytest` is run where the name of the environment has that part; a dash goes on when it fails.
    const command = (key ? key[2]! : line)
      .trim()
      .replace(/^[\w{},!.-]{1,60}:\s+/, '')
      .replace(/^-\s*/, '')
    if (isWithin && command && !command.startsWith('#')) commands.push(withoutPlaceholders(command))
  }
  const tests = commands.filter((command) => runnerOf(command) === 'pytest' || runnerOf(command) === 'unittest')
  return tests.sort((a, b) => namedBy(a) - namedBy(b))
}

/** How much a command names: the fewer, the more it runs. */
function namedBy(command: string): number {
  const words = withoutPlugins(argumentsOf(command).join(' ')).split(' ')
  return words.filter((word) => word && !word.startsWith('-') && word !== 'discover').length
}

/** What follows the runner. */
function argumentsOf(command: string): string[] {
  const words = bare(command).split(/\s+/)
  return words.slice(words[0]!.startsWith('python') ? 3 : 1)
}

/** `{posargs:tests}` is what follows the colon, `{toxinidir}/tests` what lies here; others name what only tox knows. */
function withoutPlaceholders(command: string): string {
  return command
    .replace(/\{envpython\}/g, 'python')
    .replace(/\{posargs:([^{}]*)\}/g, '$1')
    .replace(/\{(toxinidir|tox_root)\}\/?/g, './')
    .split(/\s+/)
    .filter((word) => !/[{}]/.test(word))
    .join(' ')
    .trim()
}

export type PythonCommand = { command: string; files: string[]; folder: string }

/** The tests that a command of pytest or unittest runs, by the names of their files; `collectTests` knows it exactly. */
export function pythonSuite({ command, files, folder }: PythonCommand, python: Python): Suite {
  const made = { language: 'python' as const, command, folder, python: python.path, prepare: '', leftOut: [] }
  const own = files.filter((file) => file.endsWith('.py') && (!folder || file.startsWith(`${folder}/`)))
  if (runnerOf(command) === 'unittest' || !python.hasPytest)
    return { ...made, runner: 'unittest', files: unittestFiles(own, folder, argumentsOf(command)) }
  return { ...made, runner: 'pytest', files: own.filter((file) => PYTHON_TEST.test(file)) }
}

/**
 * The suite with what pytest itself says it would run, by the project's own settings. A plugin that is not installed may be
 * named in them: then without them. It loads the project's tests, so it is asked only before they are run. The suite as it
 * is where pytest says nothing that can be read, and for other runners.
 */
export async function collectTests(sandbox: Sandbox, suite: Suite, signal: AbortSignal): Promise<Suite> {
  const { runner, command, folder, python } = suite
  if (runner !== 'pytest') return suite
  const args = command.slice(command.indexOf('pytest') + 'pytest'.length)
  const cwd = inWorkspace(sandbox, folder)
  for (const own of [args, `-o addopts='' ${args}`, `-o addopts='' ${withoutPlugins(args)}`]) {
    const shell = `export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD:$PWD/src"
${python} -m pytest --collect-only -q -p no:cacheprovider --no-header ${own}`
    const { stdout } = await runCommand(
      sandbox,
      { shell, cwd, timeoutMs: COLLECT_MS, outputBytesMax: 16 * 1024 * 1024 },
      signal,
    )
    const found = readCollected(stdout.toString('utf8'), folder)
    if (found.files.length) return { ...suite, ...found }
  }
  return suite
}

/** Without the options of the plugins that measure coverage, run tests side by side or end them: none of it is needed here. */
export function withoutPlugins(args: string): string {
  const kept: string[] = []
  const words = args.split(/\s+/).filter(Boolean)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [name = ''] = word.split('=', 1)
    if (!VALUED.has(name) && !COVERAGE.test(name)) kept.push(word)
    else if (VALUED.has(word) && !words[at + 1]?.startsWith('-')) at++
  }
  return kept.join(' ')
}

const COVERAGE = /^(--cov(?:-[a-z]{1,20}){0,2}|--no-cov)$/
const VALUED = new Set(
  '--cov --cov-report --cov-config --cov-fail-under --cov-context -n --numprocesses --dist --maxprocesses --timeout --timeout-method --reruns --reruns-delay'.split(
    ' ',
  ),
)

/** `tests/test_a.py::test_b` a line, or `tests/test_a.py: 3` where the project asks for less; files that do not load as errors. */
export function readCollected(text: string, folder: string): Pick<Suite, 'files' | 'names'> {
  const names: Record<string, string[]> = {}
  const isPart = /\b\d+ deselected\b/.test(text)
  for (const line of text.split('\n')) {
    const at = line.indexOf('.py::')
    const one = at < 0 ? undefined : line.slice(0, at + 3)
    const name = at < 0 ? undefined : line.slice(at + 5)
    const counted = /\.py: \d{1,9}$/.exec(line)
    const other = counted ? line.slice(0, counted.index + 3) : /^ERROR ([^:]{1,500}\.py)\b/.exec(line)?.[1]
    const file = one ?? other
    if (file === undefined || /^[\s:]/.test(file)) continue
    const list = (names[path.posix.join(folder, file)] ??= [])
    if (name !== undefined) list.push(name)
  }
  const files = Object.keys(names)
  return { files, ...(isPart && files.some((file) => names[file]!.length) && { names }) }
}

/** As `unittest` finds them: named as modules or files, or below a folder by a pattern. */
export function unittestFiles(files: string[], folder: string, words: string[]): string[] {
  const within = (file: string) => path.posix.join(folder, file)
  const named = words.filter((word) => !word.startsWith('-') && word !== 'discover')
  if (words[0] !== 'discover' && !words.some((word) => word.startsWith('-s')) && named.length) {
    const paths = named.map((word) => (word.endsWith('.py') ? word : word.replaceAll('.', '/')))
    const isNamed = (file: string) =>
      paths.some(
        (one) =>
          file === within(one) || file === within(`${one}.py`) || `${file.slice(0, -3)}/`.startsWith(`${within(one)}/`),
      )
    const found = files.filter(isNamed)
    if (found.length) return found
  }
  const option = (short: string, long: string) => {
    const at = words.findIndex((word) => word === short || word === long)
    return at < 0 ? undefined : words[at + 1]?.replace(/^['"]|['"]$/g, '')
  }
  const start = option('-s', '--start-directory') ?? (words[0] === 'discover' ? named[0] : undefined) ?? '.'
  const pattern = option('-p', '--pattern')
  const isTest = (file: string) =>
    pattern ? path.posix.matchesGlob(path.posix.basename(file), pattern) : PYTHON_TEST.test(file)
  const root = within(start)
  return files.filter((file) => (root === '.' || file.startsWith(`${root}/`)) && isTest(file))
}

type Python = { path: string; hasPytest: boolean }

/** The project's own environment where it has one, else the machine's. */
export async function findPython(sandbox: Sandbox, signal: AbortSignal): Promise<Python | null> {
  const shell = `for p in .venv/bin/python venv/bin/python .tox/py*/bin/python python3 python /usr/bin/python3; do
    if command -v $p >/dev/null 2>&1; then command -v $p; $p -c 'import pytest' 2>/dev/null && echo pytest; exit 0; fi
  done`
  const result = await runCommand(sandbox, { shell, timeoutMs: 60_000 }, signal)
  const [found, pytest] = result.stdout.toString('utf8').trim().split('\n')
  if (!found) return null
  return {
    path: /^(\.|venv)/.test(found) ? `${sandbox.paths.workspace}/${found}` : found,
    hasPytest: pytest === 'pytest',
  }
}
