// How often the repair engine is right on small programs with one seeded bug each, by tests that it does not see.
// `node bin/node24.mjs bench/repair-small.ts [look|held|more] [name …]` prints one row a program and the totals. The two
// halves are told apart by a seed: what is tuned is tuned on `look` only. `more` is a set that was written without knowing
// the engine; what it missed was read after it had been measured.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Answer } from '../server/src/adapters/engines/engine.ts'
import { openRepair } from '../server/src/adapters/engines/repair/repair.ts'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import { MemoryTurn } from '../server/test/memory-turn.ts'

const SEED = 'runwright-20'
const PROGRAM_MS = 60_000
const MiB = 1024 * 1024

type Language = 'python' | 'javascript'
type Program = { name: string; language: Language; right: string; broken: string; visible: string[]; hidden: string[] }
type Row = { program: Program; outcome: Outcome; confidence: string; seconds: number; note: string }
type Outcome = 'right' | 'wrong' | 'none'

const endings: Record<Language, string> = { python: 'py', javascript: 'js' }
const [half = 'look', ...only] = process.argv.slice(2)
const isMore = half === 'more'
const chosen = (['python', 'javascript'] as const)
  .flatMap(readPrograms)
  .filter(({ name }) => (isMore || halfOf(name) === half) && (!only.length || only.includes(name)))

const folder = mkdtempSync(path.join(tmpdir(), 'repair-small-'))
chmodSync(folder, 0o711)
const provider = openBubblewrap({ folder: path.join(folder, 'sandboxes') })
const engine = openRepair({ searchMs: 45_000 })
const rows: Row[] = []
try {
  for (const program of chosen) {
    const row = await measure(program)
    rows.push(row)
    const { outcome, confidence, seconds, note } = row
    console.log([program.language, program.name, outcome, confidence, seconds.toFixed(1), note].join(' | '))
  }
} finally {
  await removeTree(folder)
}
for (const language of ['python', 'javascript'] as const) {
  report(
    language,
    rows.filter(({ program }) => program.language === language),
  )
}
report(`both, ${half}`, rows)

function readPrograms(language: Language): Program[] {
  const text = readFileSync(
    path.join(import.meta.dirname, `../server/test/programs/small/${language}${isMore ? '-more' : ''}.txt`),
    'utf8',
  )
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [head = '', bug = '', visible = '', hidden = ''] = part.split(/^--- \w+\n/m)
      const at = head.indexOf('\n')
      const right = head.slice(at + 1)
      const [before = '', after = ''] = bug.split('\n=>\n')
      const name = head.slice(0, at)
      if (right.split(before).length !== 2) throw new Error(`${name}: the text to break stands there not just once.`)
      const broken = right.replace(before, () => after.replace(/\n$/, ''))
      return { name, language, right, broken, visible: linesOf(visible), hidden: linesOf(hidden) }
    })
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim())
}

function halfOf(name: string): string {
  return createHash('sha256').update(`${SEED} ${name}`).digest()[0]! % 2 ? 'held' : 'look'
}

async function measure(program: Program): Promise<Row> {
  const { language, right, broken, visible, hidden } = program
  const expected = evaluate(language, right, [...visible, ...hidden])
  const file = `program.${endings[language]}`
  await using sandbox = await provider.create({
    id: `small-${program.name.replaceAll('_', '-')}`,
    limits: { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 512 * MiB, lifetimeMs: 180_000 },
  })
  const files = { [file]: broken, ...testsOf(program, expected.slice(0, visible.length)) }
  for (const [name, text] of Object.entries(files)) {
    await sandbox.writeFile(`${sandbox.paths.workspace}/${name}`, Buffer.from(text))
  }
  const began = performance.now()
  let answer: Answer | undefined
  let error = ''
  try {
    answer = await engine.run(new MemoryTurn({ sandbox }))
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown)
  }
  const seconds = (performance.now() - began) / 1000
  if (!answer || seconds * 1000 > PROGRAM_MS) {
    return { program, outcome: 'none', confidence: '', seconds, note: error.slice(0, 120) }
  }
  const repaired = (await sandbox.readFile(`${sandbox.paths.workspace}/${file}`)).toString()
  const outcomes = evaluate(language, repaired, hidden)
  const isRight = outcomes.every((one, at) => one === expected[visible.length + at])
  const confidence = /Confidence: (\w+)/.exec(answer.answer)?.[1] ?? 'none'
  const note = changedLines(broken, repaired).join(' ⏎ ')
  return { program, outcome: isRight ? 'right' : 'wrong', confidence, seconds, note }
}

/** What each call gives, as the language writes it; no more where one never ends. */
function evaluate(language: Language, source: string, calls: string[]): string[] {
  const list = JSON.stringify(calls)
  const [command, script]: [string, string] =
    language === 'python'
      ? [
          'python3',
          `${source}\nfor _call in ${list}:\n    try:\n        print(repr(eval(_call)), flush=True)\n    except Exception as e:\n        print(type(e).__name__, flush=True)\n`,
        ]
      : [
          process.execPath,
          `import { inspect } from 'node:util'\n${source}\nfor (const call of ${list}) {
  try { console.log(inspect(eval(call), { depth: 20, breakLength: Infinity, compact: true })) } catch (e) { console.log(e.name) }
}`,
        ]
  const argv = language === 'python' ? ['-c', script] : ['--input-type=module', '-e', script]
  return spawnSync(command, argv, { encoding: 'utf8', timeout: 5_000 }).stdout.split('\n').slice(0, calls.length)
}

function testsOf({ language, visible, broken }: Program, expected: string[]): Record<string, string> {
  if (language === 'python') {
    const names = calledIn(visible, broken, /^(?:def|class) (\w+)/gm)
    const tests = visible.map(
      (call, at) => `    def test_${at + 1}(self):\n        self.assertEqual(${call}, ${expected[at]})\n`,
    )
    return {
      'test_program.py': `import unittest\n\nfrom program import ${names}\n\n\nclass ProgramTest(unittest.TestCase):\n${tests.join('\n')}`,
    }
  }
  const names = calledIn(visible, broken, /^export (?:function|class) (\w+)/gm)
  const tests = visible.map((call, at) => `test('${at + 1}', () => assert.deepEqual(${call}, ${expected[at]}))`)
  const head = `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${names} } from './program.js'\n\n`
  return { 'package.json': '{ "type": "module" }', 'program.test.js': `${head}${tests.join('\n')}\n` }
}

/** Of what a program defines, what its calls name. */
function calledIn(calls: string[], source: string, definitions: RegExp): string {
  const words = new Set(calls.join(' ').match(/\w+/g))
  return [...source.matchAll(definitions)].flatMap(([, name]) => (words.has(name!) ? name! : [])).join(', ')
}

function changedLines(before: string, after: string): string[] {
  const old = new Set(before.split('\n'))
  const lines = after.split('\n').filter((line) => !old.has(line))
  return lines.length ? lines.map((line) => line.trim()) : ['(lines moved or gone)']
}

function report(label: string, group: Row[]): void {
  const count = (outcome: Outcome, isUnsure: boolean) =>
    group.filter((row) => row.outcome === outcome && (row.confidence === 'unsure') === isUnsure).length
  const right = count('right', false) + count('right', true)
  console.log(
    `${label}: ${right} of ${group.length} right (${count('right', true)} of them unsure), ` +
      `${count('wrong', false)} wrong and claimed, ${count('wrong', true)} wrong and unsure, ` +
      `${group.filter((row) => row.outcome === 'none').length} without a patch`,
  )
}
