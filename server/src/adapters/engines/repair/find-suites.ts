import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { splitTestScript } from './split-test-script.ts'
import { readText, runCommand } from './run-command.ts'
import { isVendorPath, type Suite } from './suite.ts'

const FILES_MAX = 50_000
const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test|tests?)\.py$/

/** The repository's tests, by what it says of itself (package.json) and by the names that runners look for. */
export async function findSuites(sandbox: Sandbox, signal: AbortSignal): Promise<Suite[]> {
  const files = await listFiles(sandbox, signal)
  const suites = [...(await findNodeSuites(sandbox, files)), ...(await findPythonSuites(sandbox, files, signal))]
  return suites.length ? suites : findMakeSuite(sandbox, files)
}

/** `make test`, where nothing else says how the tests are run. */
async function findMakeSuite(sandbox: Sandbox, files: string[]): Promise<Suite[]> {
  const makefile = files.find((file) => /^(GNUm|M|m)akefile$/.test(file))
  const text = makefile && (await readText(sandbox, `${sandbox.paths.workspace}/${makefile}`, 1_000_000))
  const target = text ? /^(test|check)[ \t]{0,20}:(?:[^=]|$)/m.exec(text)?.[1] : undefined
  if (!target) return []
  const isPython = !files.some((file) => /\.[cm]?[jt]s$/.test(file))
  const language = isPython ? 'python' : 'javascript'
  const made = { language, runner: 'command', command: `make ${target}`, folder: '', python: null } as const
  return [{ ...made, files: [], prepare: '', leftOut: [] }]
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

type Manifest = { scripts?: Record<string, string> }

async function findNodeSuites(sandbox: Sandbox, files: string[]): Promise<Suite[]> {
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file)).sort((a, b) => a.length - b.length)
  const suites: Suite[] = []
  for (const manifest of manifests) {
    const folder = manifest.slice(0, -'package.json'.length).replace(/\/$/, '')
    if (suites.some((suite) => suite.folder === '' || folder.startsWith(`${suite.folder}/`))) continue
    const { scripts = {} } = await readManifest(sandbox, manifest)
    const script = scripts.test
    if (typeof script !== 'string' || !script.trim() || script.includes('no test specified')) continue
    // A workspace's own script runs its members' tests: they are run one by one, each by its own runner.
    const hasMembers = manifests.some((other) => other !== manifest && (!folder || other.startsWith(`${folder}/`)))
    if (hasMembers && RUNS_MEMBERS.test(script)) continue
    suites.push(...nodeSuites(folder, script, scripts))
  }
  const isCovered = (file: string) => suites.some(({ folder }) => folder === '' || file.startsWith(`${folder}/`))
  if (files.some((file) => isNodeTest(file) && !isCovered(file))) suites.push(...nodeSuites('', 'node --test', {}))
  return suites
}

const RUNS_MEMBERS = /\s(--workspaces|-ws|-r|--recursive)\b|\bworkspaces\s+(run|foreach)\b|^(turbo|lerna|nx|wsrun)\s/

async function readManifest(sandbox: Sandbox, manifest: string): Promise<Manifest> {
  try {
    const text = await readText(sandbox, `${sandbox.paths.workspace}/${manifest}`, 1_000_000)
    return (JSON.parse(text ?? '{}') as Manifest | null) ?? {}
  } catch {
    return {}
  }
}

/** Neither a test nor a mere check: what it makes or removes, or where it goes, the tests may need. */
function preparesTests(text: string): boolean {
  return /^(rimraf|cd)\b/.test(text) || (/^tsc\b/.test(text) && !text.includes('--noEmit'))
}

/** A suite for each part of the script that runs tests; what comes before it and is no mere check prepares it. */
export function nodeSuites(folder: string, script: string, scripts: Record<string, string>): Suite[] {
  const parts = splitTestScript(script, scripts)
  const isRunner = parts.some((part) => part.runner !== 'command')
  const suites: Suite[] = []
  const prepare: string[] = [scripts.pretest ?? ''].filter(Boolean)
  const leftOut: string[] = []
  for (const { text, runner, isTest } of parts) {
    if (runner !== 'command' || (!isRunner && isTest)) {
      const made = { language: 'javascript', runner, command: text, folder, python: null } as const
      suites.push({ ...made, files: [], prepare: prepare.join(' && '), leftOut })
    } else if (isTest || preparesTests(text)) (suites.length ? leftOut : prepare).push(text)
    else leftOut.push(text)
  }
  return suites
}

async function findPythonSuites(sandbox: Sandbox, files: string[], signal: AbortSignal): Promise<Suite[]> {
  const tests = files.filter((file) => PYTHON_TEST.test(file))
  if (!tests.length) return []
  const shell = `for p in .venv/bin/python venv/bin/python .tox/py*/bin/python python3 python /usr/bin/python3; do
    if command -v $p >/dev/null 2>&1; then command -v $p; $p -c 'import pytest' 2>/dev/null && echo pytest; exit 0; fi
  done`
  const result = await runCommand(sandbox, { shell, timeoutMs: 60_000 }, signal)
  const [found, pytest] = result.stdout.toString('utf8').trim().split('\n')
  if (!found) return []
  const python = /^(\.|venv)/.test(found) ? `${sandbox.paths.workspace}/${found}` : found
  const runner = pytest === 'pytest' ? 'pytest' : 'unittest'
  const command = runner === 'pytest' ? 'python -m pytest' : `python -m unittest ${tests.join(' ')}`
  return [{ language: 'python', runner, command, folder: '', python, files: tests, prepare: '', leftOut: [] }]
}

function isNodeTest(file: string): boolean {
  if (!/\.[cm]?[jt]s$/.test(file)) return false
  if (file.startsWith('test/') || file.includes('/test/')) return true
  const name = file.slice(file.lastIndexOf('/') + 1)
  const stem = name.slice(0, name.lastIndexOf('.'))
  return stem === 'test' || /[._-]test$/.test(stem) || stem.startsWith('test-')
}
