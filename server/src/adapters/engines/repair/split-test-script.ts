import path from 'node:path'
import type { Runner } from './suite.ts'

/** A part of a test script, between its `&&`. */
export type ScriptPart = { text: string; runner: Runner; isTest: boolean }

const WRAPPERS =
  /^(?:(?:npx|cross-env|dotenv|c8|nyc|pnpm exec|yarn exec|bunx|env|time|poetry run|pipenv run|pdm run|hatch run|uv run|coverage run)\s+(?:--?[\w:.=/-]+\s+)*)/
const ASSIGNMENT = /^[A-Za-z_]\w*=\S*\s+/
const otherChecks =
  'eslint oxlint tsc vue-tsc prettier oxfmt biome stylelint xo standard knip publint attw flake8 ruff mypy black isort pylint rimraf echo true cd'.split(
    ' ',
  )

/** Takes `eslint . && tsc --noEmit && vitest run` apart. Scripts that are named in it are looked up in `scripts`. */
export function splitTestScript(script: string, scripts: Record<string, string> = {}, depth = 0): ScriptPart[] {
  return splitAtAnd(script).flatMap((text) => {
    const inner = depth < 4 ? scriptOf(text, scripts) : undefined
    const parts = inner === undefined ? [] : splitTestScript(inner, scripts, depth + 1)
    // Of what make runs only what is known is better than make itself, which leaves out what has been done.
    const isKnown = !text.startsWith('make ') || parts.some(({ runner }) => runner !== 'command')
    if (parts.length && isKnown) return parts
    const runner = runnerOf(text)
    const program = path.posix.basename(bare(text).split(/\s/, 1)[0] ?? '')
    return [{ text, runner, isTest: runner !== 'command' || !otherChecks.includes(program) }]
  })
}

/** What runs a script of `package.json`, with what npm runs before it, or what make runs. */
function scriptOf(text: string, scripts: Record<string, string>): string | undefined {
  if (text.startsWith('make ')) return scripts[text]
  const run = /^(?:npm run|npm run-script|pnpm run|pnpm|yarn run|yarn|npm) (?:-s |--silent )?([\w:.-]+)$/.exec(
    text,
  )?.[1]
  const name = run === 't' || run === 'tst' ? 'test' : run
  if (name === undefined || scripts[name] === undefined) return undefined
  return [scripts[`pre${name}`], scripts[name]].filter(Boolean).join(' && ')
}

const programs: Record<string, Runner> = {
  jest: 'jest',
  vitest: 'vitest',
  mocha: 'mocha',
  _mocha: 'mocha',
  ava: 'ava',
  tape: 'tape',
  pytest: 'pytest',
  'py.test': 'pytest',
  unittest: 'unittest',
}

/** By the first word that is no wrapper. Plain programs are `command`: how they end is all that they say. */
export function runnerOf(text: string): Runner {
  const [first = '', ...rest] = bare(text).split(/\s+/)
  const program = path.posix.basename(first, '.js')
  if (/^python[\d.]*$/.test(program)) return rest[0] === '-m' ? pythonRunner(rest[1]) : 'command'
  if (program === 'go') return rest[0] === 'test' ? 'go' : 'command'
  if (program === 'node') {
    if (rest.some((word) => /node_modules\/(?:\.bin\/jest|jest\/bin\/jest\.js)$/.test(word))) return 'jest'
    return rest.includes('--test') ? 'node' : 'command'
  }
  return programs[program] ?? 'command'
}

function pythonRunner(module: string | undefined): Runner {
  return module === 'pytest' || module === 'unittest' ? module : 'command'
}

/** Without what stands before the program: settings of the environment, and programs that start others. */
export function bare(text: string): string {
  let rest = text.trim()
  for (let before = ''; rest !== before;) {
    before = rest
    rest = rest.replace(ASSIGNMENT, '').replace(WRAPPERS, '')
  }
  return rest
}

/** Without what only measures how much of the code the tests run: it is slow, and may keep us from hearing of the tests. */
export function withoutCoverage(text: string): string {
  return text.replace(/\b(?:c8|nyc)\s+(?:--?[\w:.=/-]+\s+)*/, '')
}

/** At each `&&` and `;` outside of quotation marks and brackets. */
function splitAtAnd(script: string): string[] {
  const parts: string[] = []
  let part = ''
  let quote = ''
  let brackets = 0
  for (let at = 0; at < script.length; at++) {
    const sign = script[at]!
    if (sign === '\\') {
      part += sign + (script[++at] ?? '')
      continue
    }
    if (quote) quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') brackets++
    else if (sign === ')') brackets--
    const isAnd = sign === '&' && script[at + 1] === '&'
    if (!quote && !brackets && (isAnd || sign === ';')) {
      parts.push(part)
      part = ''
      if (isAnd) at++
    } else part += sign
  }
  return [...parts, part].map((one) => one.trim()).filter(Boolean)
}
