import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { isSourcePath } from './languages.ts'
import { readMakefile } from './read-makefile.ts'
import { readText } from './run-command.ts'
import { splitTestScript, withoutCoverage } from './split-test-script.ts'
import { isTestPath, languageOf, type Suite } from './suite.ts'

type Scripts = Record<string, string>

/** What `package.json` says of how the tests are run; else what Node's own runner would find. `files`: of the workspace. */
export async function findNodeSuites(sandbox: Sandbox, files: string[]): Promise<Suite[]> {
  const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file)).sort((a, b) => a.length - b.length)
  const suites: Suite[] = []
  for (const manifest of manifests) {
    const folder = manifest.slice(0, -'package.json'.length).replace(/\/$/, '')
    if (suites.some((suite) => suite.folder === '' || folder.startsWith(`${suite.folder}/`))) continue
    const scripts = await readScripts(sandbox, folder)
    const script = scripts.test
    if (typeof script !== 'string' || !script.trim() || script.includes('no test specified')) continue
    // A workspace's own script runs its members' tests: they are run one by one, each by its own runner.
    const hasMembers = manifests.some((other) => other !== manifest && (!folder || other.startsWith(`${folder}/`)))
    if (hasMembers && RUNS_MEMBERS.test(script)) continue
    suites.push(
      ...scriptSuites({ folder, script: 'npm test', scripts, files }).filter(
        ({ runner }) => languageOf(runner) === 'javascript',
      ),
    )
  }
  const isCovered = (file: string) => suites.some(({ folder }) => folder === '' || file.startsWith(`${folder}/`))
  if (files.some((file) => isNodeTest(file) && !isCovered(file)))
    suites.push(...scriptSuites({ folder: '', script: 'node --test', scripts: {}, files }))
  return suites
}

const RUNS_MEMBERS = /\s(--workspaces|-ws|-r|--recursive)\b|\bworkspaces\s+(run|foreach)\b|^(turbo|lerna|nx|wsrun)\s/

/** Of the `package.json` in a folder of the workspace, and what its makefile runs as `make NAME`. */
export async function readScripts(sandbox: Sandbox, folder: string): Promise<Scripts> {
  const read = (name: string) =>
    readText(sandbox, [sandbox.paths.workspace, folder, name].filter(Boolean).join('/'), 1_000_000)
  const makefile = (await read('Makefile')) ?? (await read('makefile')) ?? ''
  try {
    const { scripts } = JSON.parse((await read('package.json')) ?? '{}') as { scripts?: Scripts }
    return { ...readMakefile(makefile), ...scripts }
  } catch {
    return readMakefile(makefile)
  }
}

/** Neither a test nor a mere check: what it makes or removes, or where it goes, the tests may need. */
function preparesTests(text: string): boolean {
  return /^(rimraf|cd)\b/.test(text) || (/^tsc\b/.test(text) && !text.includes('--noEmit'))
}

/** `files`: of the workspace. */
type TestScript = { folder: string; script: string; scripts: Scripts; files: string[] }

/** A suite for each part of the script that runs tests; what comes before it and is no mere check prepares it. */
export function scriptSuites({ folder, script, scripts, files }: TestScript): Suite[] {
  const parts = splitTestScript(script, scripts)
  const isRunner = parts.some((part) => part.runner !== 'command')
  const suites: Suite[] = []
  const prepare: string[] = []
  const leftOut: string[] = []
  for (const { text, runner, isTest } of parts) {
    if (runner !== 'command' || (!isRunner && isTest)) {
      const command = runner === 'command' ? text : withoutCoverage(text)
      const made = { language: 'javascript', runner, command, folder, python: null } as const
      const own = runner === 'ava' ? testFiles(folder, files) : []
      suites.push({ ...made, files: own, prepare: prepare.join(' && '), leftOut })
    } else if (isTest || preparesTests(text)) (suites.length ? leftOut : prepare).push(text)
    else leftOut.push(text)
  }
  return suites
}

/** AVA names the file of a test by a part of its path. */
function testFiles(folder: string, files: string[]): string[] {
  return files.filter((file) => isSourcePath(file) && isTestPath(file) && (!folder || file.startsWith(`${folder}/`)))
}

function isNodeTest(file: string): boolean {
  if (!/\.[cm]?[jt]s$/.test(file)) return false
  if (file.startsWith('test/') || file.includes('/test/')) return true
  const name = file.slice(file.lastIndexOf('/') + 1)
  const stem = name.slice(0, name.lastIndexOf('.'))
  return stem === 'test' || /[._-]test$/.test(stem) || stem.startsWith('test-')
}
