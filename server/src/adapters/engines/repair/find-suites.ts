import path from 'node:path'
import type { TurnRepository } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { findNodeSuites, readScripts, scriptSuites } from './find-node-suites.ts'
import { findPython, findPythonSuites, pythonSuite, readTox } from './find-python-suites.ts'
import { findGoSuites, goSuite } from './find-go-suites.ts'
import { type Language, languages } from './languages.ts'
import { readText, runCommand } from './run-command.ts'
import { bare } from './split-test-script.ts'
import { isPython, isSameSuite, isVendorPath, type Suite } from './suite.ts'

const FILES_MAX = 50_000

export type Checks = NonNullable<TurnRepository['checks']>

/** The tests that the repository's checks run. A check that runs none, such as a linter, is left out. */
export async function findCheckedSuites(sandbox: Sandbox, checks: Checks, signal: AbortSignal): Promise<Suite[]> {
  if (!checks.length) return []
  const files = await listFiles(sandbox, signal)
  const suites: Suite[] = []
  for (const { command, path: folder = '' } of checks) {
    for (const suite of await suitesOf(sandbox, { command, folder, files }, signal))
      if (!suites.some((one) => isSameSuite(one, suite))) suites.push(suite)
  }
  return suites
}

type Command = { command: string; folder: string; files: string[] }

async function suitesOf(sandbox: Sandbox, { command, folder, files }: Command, signal: AbortSignal): Promise<Suite[]> {
  const [, into, rest] = /^cd\s+([\w./-]+)\s*&&\s*(.+)$/s.exec(command.trim()) ?? []
  if (into !== undefined && rest !== undefined)
    return suitesOf(sandbox, { command: rest, folder: path.posix.join(folder, into), files }, signal)
  const suites: Suite[] = []
  const language = firstLanguage(files)
  const scripts = await readScripts(sandbox, folder)
  for (const suite of scriptSuites({ folder, script: command, scripts, files })) {
    const isTox = /^(python[\d.]* -m )?tox\b/.test(bare(suite.command))
    const commands = isTox ? await readTox(sandbox, files) : isPython(suite) ? [suite.command] : []
    const python = commands.length ? await findPython(sandbox, signal) : null
    if (python) suites.push(...commands.map((one) => pythonSuite({ command: one, folder, files }, python)))
    else if (suite.runner === 'go') suites.push(goSuite({ command: suite.command, folder, files }))
    else if (!commands.length) suites.push(suite.runner === 'command' ? { ...suite, language } : suite)
  }
  return suites
}

/** The repository's tests, by what it says of itself (package.json, tox.ini) and by the names that runners look for. */
export async function findSuites(sandbox: Sandbox, signal: AbortSignal): Promise<Suite[]> {
  const files = await listFiles(sandbox, signal)
  const suites = [
    ...(await findNodeSuites(sandbox, files)),
    ...(await findPythonSuites(sandbox, files, signal)),
    ...findGoSuites(files),
  ]
  return suites.length ? suites : findMakeSuites(sandbox, files, signal)
}

/** What `make test` runs, where nothing else says how the tests are run. */
async function findMakeSuites(sandbox: Sandbox, files: string[], signal: AbortSignal): Promise<Suite[]> {
  const makefile = files.find((file) => /^(GNUm|M|m)akefile$/.test(file))
  const text = makefile && (await readText(sandbox, `${sandbox.paths.workspace}/${makefile}`, 1_000_000))
  const target = text ? /^(test|check)[ \t]{0,20}:(?:[^=]|$)/m.exec(text)?.[1] : undefined
  return target ? suitesOf(sandbox, { command: `make ${target}`, folder: '', files }, signal) : []
}

/** The first of the table that has files here. */
function firstLanguage(files: string[]): Language {
  const found = Object.entries(languages).find(([, { sources }]) => files.some((file) => sources.test(file)))
  return (found?.[0] ?? 'python') as Language
}

/** Tracked files and new ones; without git, all. Relative to the workspace, sorted, others' code left out. */
export async function listFiles(sandbox: Sandbox, signal: AbortSignal): Promise<string[]> {
  const shell =
    'git ls-files -co --exclude-standard 2>/dev/null || find . -type f -not -path "*/.git/*" -not -path "*/node_modules/*"'
  const result = await runCommand(sandbox, { shell, timeoutMs: 30_000 }, signal)
  const files = result.stdout
    .toString('utf8')
    .split('\n')
    .map((file) => file.replace(/^\.\//, ''))
  return files
    .filter((file) => file && !isVendorPath(file))
    .slice(0, FILES_MAX)
    .sort()
}
