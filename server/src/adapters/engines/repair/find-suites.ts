import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { readText, runCommand } from './run-command.ts'
import { isVendorPath, type Suite } from './suite.ts'

const FILES_MAX = 50_000
const PYTHON_TEST = /(^|\/)(test_[^/]+|[^/]+_test|tests?)\.py$/

/** The repository's tests, by what it says of itself (package.json) and by the names that runners look for. */
export async function findSuites(sandbox: Sandbox, signal: AbortSignal): Promise<Suite[]> {
  const files = await listFiles(sandbox, signal)
  return [...(await findNodeSuites(sandbox, files)), ...(await findPythonSuites(sandbox, files, signal))]
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

async function findNodeSuites(sandbox: Sandbox, files: string[]): Promise<Suite[]> {
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file)).sort((a, b) => a.length - b.length)
  const suites: Suite[] = []
  for (const manifest of manifests) {
    const folder = manifest.slice(0, -'package.json'.length).replace(/\/$/, '')
    // A workspace's own script usually runs its members' tests as well.
    if (suites.some((suite) => suite.folder === '' || folder.startsWith(`${suite.folder}/`))) continue
    const script = await readTestScript(sandbox, manifest)
    if (script) suites.push(nodeSuite(folder, script))
  }
  const isCovered = (file: string) => suites.some(({ folder }) => folder === '' || file.startsWith(`${folder}/`))
  if (files.some((file) => isNodeTest(file) && !isCovered(file))) suites.push(nodeSuite('', 'node --test'))
  return suites
}

async function readTestScript(sandbox: Sandbox, manifest: string): Promise<string | null> {
  try {
    const text = await readText(sandbox, `${sandbox.paths.workspace}/${manifest}`, 1_000_000)
    const script: unknown = JSON.parse(text ?? '{}')?.scripts?.test
    return typeof script === 'string' && script.trim() && !script.includes('no test specified') ? script : null
  } catch {
    return null
  }
}

function nodeSuite(folder: string, command: string): Suite {
  return { language: 'javascript', runner: 'node', command, folder, python: null, files: [] }
}

async function findPythonSuites(sandbox: Sandbox, files: string[], signal: AbortSignal): Promise<Suite[]> {
  const tests = files.filter((file) => PYTHON_TEST.test(file))
  if (!tests.length) return []
  const shell = `for p in .venv/bin/python venv/bin/python python3 python /usr/bin/python3; do
    if command -v $p >/dev/null 2>&1; then command -v $p; $p -c 'import pytest' 2>/dev/null && echo pytest; exit 0; fi
  done`
  const result = await runCommand(sandbox, { shell, timeoutMs: 60_000 }, signal)
  const [found, pytest] = result.stdout.toString('utf8').trim().split('\n')
  if (!found) return []
  const python = found.startsWith('.') || found.startsWith('venv') ? `${sandbox.paths.workspace}/${found}` : found
  const runner = pytest === 'pytest' ? 'pytest' : 'unittest'
  const command = runner === 'pytest' ? 'python -m pytest' : `python -m unittest ${tests.join(' ')}`
  return [{ language: 'python', runner, command, folder: '', python, files: tests }]
}

function isNodeTest(file: string): boolean {
  if (!/\.[cm]?[jt]s$/.test(file)) return false
  if (file.startsWith('test/') || file.includes('/test/')) return true
  const name = file.slice(file.lastIndexOf('/') + 1)
  const stem = name.slice(0, name.lastIndexOf('.'))
  return stem === 'test' || /[._-]test$/.test(stem) || stem.startsWith('test-')
}
