import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { type Answer, EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn, type MemoryTurnOptions, WorkerLost } from '#test/memory-turn.ts'
import { testSandboxes } from '#test/test-sandboxes.ts'
import { callFunctions } from './call-functions.ts'
import { installTools } from './install-tools.ts'
import { openRepair } from './repair.ts'
import type { Suite } from './suite.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 1024 * MiB, processes: 256, diskBytes: 512 * MiB, lifetimeMs: 300_000 }
const programs = path.join(import.meta.dirname, '../../../../test/programs')
const { provider } = testSandboxes()
// A search ends when it has found something; it has the time for that on a busy machine, too.
const quick = { stuckMs: 2_000, testMs: 200, searchMs: 180_000, alternativesMs: 300 }
const timeout = 240_000
const engine = openRepair(quick)
let made = 0

type Files = Record<string, string>

function programFiles(name: string): Files {
  const from = path.join(programs, name)
  const names = readdirSync(from, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map((file) => [path.relative(from, file), readFileSync(file, 'utf8')]))
}

async function openWorkspace(files: Files): Promise<Sandbox> {
  const sandbox = await provider.create({ id: `repair-${++made}`, limits })
  for (const [file, text] of Object.entries(files)) {
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  }
  return sandbox
}

async function readWorkspace(sandbox: Sandbox, files: Files): Promise<Files> {
  const read: Files = {}
  for (const file of Object.keys(files)) {
    read[file] = (await sandbox.readFile(`${sandbox.paths.workspace}/${file}`)).toString()
  }
  return read
}

/** Repairs the files and answers with what became of them. */
async function repair(files: Files, options: Partial<MemoryTurnOptions> = {}, by = engine) {
  await using sandbox = await openWorkspace(files)
  const turn = new MemoryTurn({ sandbox, ...options })
  let answer: Answer | undefined
  let error: unknown
  try {
    answer = await by.run(turn)
  } catch (thrown) {
    error = thrown
  }
  const changed = await readWorkspace(sandbox, files)
  const listed = await sandbox.exec({ shell: 'find . -type f | sort', timeoutMs: 10_000 }).result
  return { answer, error, turn, changed, listed: listed.stdout.toString() }
}

function changedLines(before: Files, after: Files): string[] {
  return Object.keys(before).flatMap((file) => {
    const old = new Set(before[file]!.split('\n'))
    return after[file]!.split('\n')
      .filter((line) => !old.has(line))
      .map((line) => `${file}: ${line.trim()}`)
  })
}

function failsWith(code: string, error: unknown): EngineError {
  assert.ok(error instanceof EngineError, String(error))
  assert.equal(error.code, code, error.message)
  return error
}

const hasPython = await findPython()

async function findPython(): Promise<boolean> {
  await using sandbox = await openWorkspace({})
  return (await sandbox.exec({ shell: 'command -v python3', timeoutMs: 10_000 }).result).exitCode === 0
}

const fixed: { program: string; change: RegExp; python?: boolean }[] = [
  { program: 'library', change: /src\/loans\.js: .*loan\.book !==? book/ },
  { program: 'mailroom', change: /lib\/queue\.js: return await this\.send\(letter, attempt\)/ },
  { program: 'calculator', change: /tokens\.js: while \(end <(= text\.length - 1| text\.length)( - 0)? && isDigit/ },
  { program: 'shop', change: /src\/discount\.ts: .*discount\.percent \?\? DEFAULT_PERCENT/ },
  {
    program: 'ledger',
    change: /ledger\/accounts\.py: (def __init__\(self, name, history=None\)|self\.history = list\(history\))/,
    python: true,
  },
  { program: 'paragraphs', change: /wrap\.py: .*words\.pop\(0\)/, python: true },
  { program: 'weather', change: /weather\.py: return longest/, python: true },
]

describe('the repair engine fixes', { concurrency: 2 }, () => {
  for (const { program, change, python } of fixed) {
    const skip = python && !hasPython ? 'there is no python3 in the sandbox' : false
    test(`the program ${program}`, { skip, timeout }, async () => {
      const files = programFiles(program)
      const { answer, error, turn, changed } = await repair(files)
      assert.ok(answer, String(error))
      const lines = changedLines(files, changed)
      assert.match(lines.join('\n'), change)
      assert.match(answer.title ?? '', /^(Fix|Proposal: fix) /)
      assert.match(answer.answer, /Please review/)
      const tools = turn.entries.map((entry) => entry.toolName ?? entry.messageType)
      assert.deepEqual(
        [...new Set(tools)],
        ['PLAN_EVALUATION', 'run_tests', 'locate_fault', 'try_candidates', 'compare_changes', 'edit'],
      )
    })
  }
})

test('the repair engine fixes a loop that fills the memory', { timeout }, async () => {
  const calls = ['range(0, 3), [0, 1, 2]', 'range(3, 3), []', 'range(3, 0, -1), [3, 2, 1]']
  const files = {
    'package.json': '{ "type": "module" }',
    'range.js': `export function range(start, end, step = 1) {
  const values = []
  if (step > 0) for (let at = start; at < end; at += step) values.push(at)
  else for (let at = start; at > end; at -= step) values.push(at)
  return values
}
`,
    'range.test.js': `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { range } from './range.js'
${calls.map((call, at) => `test('${at}', () => assert.deepEqual(${call}))`).join('\n')}\n`,
  }
  const { error, changed } = await repair(files)
  assert.match(changedLines(files, changed).join('\n'), /range\.js: else for .*at > end; at \+= step/, String(error))
})

const passing: Files = {
  'package.json': '{ "type": "module" }',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.js'
test('sums', () => assert.equal(sum(1, 2), 3))
`,
}

describe('the repair engine changes nothing and says so', { concurrency: 2 }, () => {
  test('when there are no tests', async () => {
    const { error } = await repair({ 'README.md': 'Hello', 'main.js': 'console.log(1)\n' })
    const { message } = failsWith('no_tests_found', error)
    assert.match(message, /package\.json.*test_\*\.py.*ANTHROPIC_API_KEY/)
  })

  test('when no test fails', async () => {
    const { error, changed } = await repair(passing)
    const { message } = failsWith('no_failing_test', error)
    assert.match(message, /OPENAI_BASE_URL/)
    assert.deepEqual(changed, passing)
  })

  test('when only a flaky test fails, which it names', async () => {
    const flaky = `import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('first time unlucky', () => {
  if (existsSync('/tmp/seen')) return
  writeFileSync('/tmp/seen', '')
  assert.fail('unlucky')
})
`
    const { error } = await repair({ ...passing, 'flaky.test.js': flaky })
    assert.match(failsWith('no_failing_test', error).message, /left out: flaky\.test\.js > first time unlucky/)
  })

  test('when no single change helps', async () => {
    const request = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.js'
test('says more than it can', () => assert.equal(sum('alpha', 'omega'), 'a word that is nowhere'))
`
    const files = { ...passing, 'more.test.js': request }
    const { error, changed, listed, turn } = await repair(files)
    const { message } = failsWith('no_fix_found', error)
    assert.match(message, /\d+ were tried in sum\.js.*every candidate was tried.*more\.test\.js > says more/s)
    assert.deepEqual(changed, files)
    assert.equal(listed.trim().split('\n').length, Object.keys(files).length, listed)
    assert.ok(turn.entries.some((entry) => entry.toolName === 'try_candidates'))
  })

  test('when a source has a syntax error', async () => {
    const files = { ...passing, 'sum.js': 'export const sum = (a, b) => {\n  return a + \n}\n' }
    const { error, changed } = await repair(files)
    assert.match(failsWith('no_fix_found', error).message, /sum\.js.*syntax error near line [23]/)
    assert.deepEqual(changed, files)
  })

  test('when a Python source has a syntax error', { skip: !hasPython && 'there is no python3' }, async () => {
    const files = {
      'words.py': 'def count(text:\n    return len(text.split())\n',
      'test_words.py': 'from words import count\n\n\ndef test_count():\n    assert count("a b") == 2\n',
    }
    const { error } = await repair(files)
    assert.match(failsWith('no_fix_found', error).message, /words\.py.*syntax error near line 1/)
  })
})

const hanging: Files = {
  'package.json': '{ "type": "module" }',
  'countdown.js': `export function countdown(from) {
  const numbers = []
  while (from > 0) {
    numbers.push(from)
    from = from + 1
    if (numbers.length > 1e6) numbers.length = 0
  }
  return numbers
}
`,
  'countdown.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countdown } from './countdown.js'
test('nothing', () => assert.deepEqual(countdown(0), []))
test('three', () => assert.deepEqual(countdown(3), [3, 2, 1]))
`,
}

describe('the repair engine gets along', { concurrency: 2 }, () => {
  test('with a test that never ends', async () => {
    const { answer, error, changed } = await repair(hanging)
    assert.ok(answer, String(error))
    assert.match(changed['countdown.js']!, /from = from - 1/)
  })

  test('with a right change that takes longer than most do', async () => {
    const files = {
      'package.json': '{ "type": "module" }',
      'double.js': 'export const double = (a) => a + 2\n',
      'double.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { double } from './double.js'
test('two', () => assert.equal(double(2), 4))
test('three', () => {
  const got = double(3)
  for (const end = Date.now() + 200; got === 6 && Date.now() < end; );
  assert.equal(got, 6)
})
`,
    }
    const { answer, error, changed } = await repair(files, {}, openRepair({ ...quick, testMs: 3_000, firstTestMs: 20 }))
    assert.ok(answer, String(error))
    assert.match(changed['double.js']!, /a (\* 2|\+ a)/)
  })

  test('with two faults that one test is full of', async () => {
    const files = {
      'package.json': '{ "type": "module" }',
      'below.js': `export function areBelow(numbers, limit) {
  for (const number of numbers) {
    if (number >= limit) return true
  }
  return false
}
`,
      'below.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areBelow } from './below.js'
test('all at once', () => {
  assert.equal(areBelow([1, 2, 4], 100), true)
  assert.equal(areBelow([1, 20, 4], 5), false)
  assert.equal(areBelow([], 5), true)
  assert.equal(areBelow([1, 4, 8, 10, 20, 3], 20), false)
  assert.equal(areBelow([3, 1, 2], 4), true)
})
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['below.js']!, /limit\) return false[^]*return true/)
    assert.match(answer.answer, /Confidence: unsure/)
  })

  test('with a slow test, beside a quick one that fails for a reason of its own', { timeout }, async () => {
    const files = {
      'package.json': '{ "type": "module" }',
      'area.js': 'export const area = (width, height) => width + height\n',
      'area.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from './area.js'
test('elsewhere', () => assert.equal('this machine', 'another'))
test('area', () => {
  for (const end = Date.now() + 150; Date.now() < end; );
  assert.equal(area(3, 4), 12)
})
test('nothing', () => assert.equal(area(2, 2), 4))
`,
    }
    const { answer, error, changed } = await repair(files, {}, openRepair({ ...quick, searchMs: 20_000 }))
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
    assert.match(answer.answer, /Still failing[^]*elsewhere/)
  })

  test('beside a test that only fails with the command of the project', { timeout }, async () => {
    const files = {
      'package.json': '{"type":"module"}',
      'area.js': 'export const area = (width, height) => width + height\n',
      'area.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from './area.js'
test('area', () => assert.equal(area(3, 4), 12))
test('nothing', () => assert.equal(area(2, 2), 4))
test('elsewhere', () => assert.ok(!process.argv[1].endsWith('area.test.js')))
`,
    }
    const { answer, error, changed, turn } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
    assert.match(answer.answer, /Still failing[^]*elsewhere[^]*Confidence: unsure/)
    const located = turn.entries.find(({ toolName }) => toolName === 'locate_fault')
    assert.deepEqual(located?.toolInput, { method: 'ochiai', tests: 2, mode: 'warm' })
  })

  test('with two faults, of which one never ends', { timeout }, async () => {
    const files = {
      ...hanging,
      'countdown.js': `${hanging['countdown.js']}\nexport const area = (width, height) => width + height\n`,
      'area.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from './countdown.js'
test('area', () => assert.equal(area(3, 4), 12))
test('nothing', () => assert.equal(area(0, 4), 0))
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['countdown.js']!, /from = from (- 1|\+ -1)[^]*(width \* height|height \* width)/)
  })

  const skip = !hasPython && 'there is no python3'
  test('with a Python test that never ends', { skip, timeout }, async () => {
    const files = {
      'digits.py':
        'def digits(n):\n    found = []\n    while n > 0:\n        found.insert(0, n % 10)\n        n = n // 1\n    return found\n',
      'test_digits.py':
        'from digits import digits\n\n\ndef test_none():\n    assert digits(0) == []\n\n\ndef test_some():\n    assert digits(305) == [3, 0, 5]\n',
    }
    // Hundreds of changes do not end it either, and each is given half a second.
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['digits.py']!, /n = n \/\/ 10/)
  })

  for (const [file, text, call] of [
    ['double.cjs', 'module.exports = { double: (a) => a }', '[ 4, [ 2 ] ]'],
    ['double.mjs', 'export const double = (a) => a', '[ 4, [ 2 ] ]'],
    ['double.ts', 'export const double = (a: number) => a', '[ 4, [ 2 ] ]'],
    ...(hasPython ? [['double.py', 'def double(a): return a', '[4, [2]]'] as const] : []),
  ] as const) {
    test(`with what a changed function does in ${file}, which stays as it is`, async () => {
      await using sandbox = await openWorkspace({ [file]: text })
      await installTools(sandbox)
      const suite = { language: file.endsWith('.py') ? 'python' : 'javascript', python: null } as Suite
      const changed = text.replace(/(=> |return )a/, '$1a * 2')
      const { signal } = new AbortController()
      const calls = [{ name: 'double', argv: '2' }]
      assert.deepEqual(await callFunctions(sandbox, suite, { file, text: changed, calls, signal }), [call])
      assert.equal((await readWorkspace(sandbox, { [file]: '' }))[file], text)
    })
  }

  for (const key of ['t1/search/1', 't1/apply/0']) {
    test(`with the loss of its worker at ${key}`, async () => {
      const files = programFiles('shop')
      await using sandbox = await openWorkspace(files)
      const lost = new MemoryTurn({ sandbox, loseWorkerAt: { key, when: 'done' } })
      await assert.rejects(engine.run(lost), WorkerLost)
      const next = new MemoryTurn({ sandbox, store: lost.store })
      const answer = await engine.run(next)
      assert.equal(answer.title, 'Fix discountCents: fallback')
      assert.match((await readWorkspace(sandbox, files))['src/discount.ts']!, /percent \?\? DEFAULT/)
      const plans = next.entries.filter((entry) => entry.messageType === 'PLAN_EVALUATION')
      assert.equal(plans.length, 1)
      const repeated = next.entries.filter((entry) => entry.isRepeated).map((entry) => entry.stepKey)
      assert.deepEqual(repeated, [key])
    })
  }

  test('with a test command that is no runner', async () => {
    const files = {
      'package.json': '{ "scripts": { "test": "node check.js" } }',
      'area.js': 'exports.area = (width, height) => width + height\n',
      'check.js': `const { area } = require('./area.js')
if (area(3, 4) !== 12) throw new Error('wrong area')
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
  })

  test('with slow tests that go on whatever is raised in them', { skip, timeout }, async () => {
    const files = {
      'slow.py': 'def double(a):\n    return a + 2\n',
      'test_slow.py': `import time, unittest
from slow import double

class SlowTest(unittest.TestCase):
    def test_sums(self):
        for at in range(8):
            with self.subTest(at):
                end = time.process_time() + 0.2
                while time.process_time() < end:
                    pass

    def test_double(self):
        self.assertEqual(double(3), 6)

    def test_nothing(self):
        self.assertEqual(double(2), 4)
`,
    }
    const { answer, error, changed } = await repair(files, {}, openRepair({ ...quick, stuckMs: 600 }))
    assert.ok(answer, String(error))
    assert.match(changed['slow.py']!, /return a (\* 2|\+ a)/)
    assert.match(answer.answer, /3 tests pass/)
  })

  test('with a source that only its own language can read', async () => {
    const files = {
      'area.js': 'export const area = (width, height) => width + height\n',
      'first.js': 'export function first(dates) {\n  if (dates[0]) {\n    [dates] = dates\n  }\n  return dates\n}\n',
      'area.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { area } from './area.js'
test('area', () => assert.equal(area(3, 4), 12))
test('two', () => assert.equal(area(2, 2), 4))
`,
      'database.test.js': "import 'a-package-that-is-missing'\n",
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
  })

  test('with tests that fail for reasons of their own', async () => {
    const files = {
      'area.js': 'export const area = (width, height) => width + height\n',
      'area.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { area } from './area.js'
test('area', () => assert.equal(area(3, 4), 12))
test('nothing', () => assert.equal(area(0, 4), 0))
test('one', () => assert.equal(area(1, 1), 1))
test('elsewhere', () => assert.equal('this machine', 'another'))
`,
      'database.test.js': `import { test } from 'node:test'
test('database', async () => {
  await import('a-package-that-is-missing')
})
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
    assert.match(answer.answer, /Still failing, and not fixed by this\*\*\n\n- area\.test\.js > elsewhere\n/)
    assert.match(answer.answer, /Left out, for they miss something \(1\)/)
    assert.doesNotMatch(answer.answer, /Confidence: high/)
  })

  test('with tests that need what those before them have made', async () => {
    const files = {
      'list.js': `const items = []
export const add = (item) => items.unshift(item)
export const last = () => items[items.length - 1]
export const count = () => items.length
`,
      'list.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { add, count, last } from './list.js'
test('nothing', () => assert.equal(count(), 0))
test('one is added', () => assert.equal(add('a'), 1))
test('it is the last', () => assert.equal(last(), 'a'))
test('another is added', () => assert.equal(add('b'), 2))
test('there are two', () => assert.equal(count(), 2))
test('that is the last', () => assert.equal(last(), 'b'))
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['list.js']!, /items\.push\(item\)/)
  })

  test('with a test that only fails for what one before it has changed', async () => {
    const files = {
      'theme.js': `const DEFAULTS = { color: 'black', size: 12 }
export function theme(own) {
  return Object.assign(DEFAULTS, own)
}
`,
      'theme.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { theme } from './theme.js'
test('plain', () => assert.deepEqual(theme({}), { color: 'black', size: 12 }))
test('red', () => assert.deepEqual(theme({ color: 'red' }), { color: 'red', size: 12 }))
test('large', () => assert.deepEqual(theme({ size: 20 }), { color: 'black', size: 20 }))
`,
    }
    const { answer, error, changed } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['theme.js']!, /Object\.assign\(\{ \.\.\.DEFAULTS \}, own\)/)
  })

  test('with tests that a makefile runs, after what only checks', async () => {
    const files = {
      'package.json': '{ "type": "module", "scripts": { "test": "make test" } }',
      Makefile: 'NODE ?= node\n\ncheck:\n\t@$(NODE) --check area.js\n\ntest: check\n\t$(NODE) --test\n',
      'area.js': 'export const area = (width, height) => width + height\n',
      'area.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { area } from './area.js'
test('area', () => assert.equal(area(3, 4), 12))
test('nothing', () => assert.equal(area(2, 2), 4))
`,
    }
    const { answer, error, changed, turn } = await repair(files)
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
    const ran = turn.entries.find((entry) => entry.toolName === 'run_tests')!
    assert.equal((ran.toolInput as { command: string }).command, 'node --test')
    assert.deepEqual((ran.toolOutput as { left_out: string[] }).left_out, ['node --check area.js'])
    const located = turn.entries.find((entry) => entry.toolName === 'locate_fault')!
    assert.equal((located.toolInput as { mode: string }).mode, 'warm')
  })

  test('by the checks of the repository, where its own script says something else', async () => {
    const files = {
      'package.json': `{ "scripts": { "test": "node --test other/", "unit": "node --test 'checks/*.js'" } }`,
      'area.js': 'export const area = (width, height) => width + height\n',
      'other/fine.test.js': "import { test } from 'node:test'\ntest('fine', () => {})\n",
      'checks/area.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { area } from '../area.js'
test('area', () => assert.equal(area(3, 4), 12))
test('nothing', () => assert.equal(area(0, 4), 0))
`,
    }
    const checks = [
      { name: 'lint', command: 'eslint .' },
      { name: 'unit', command: 'npm run unit' },
    ]
    const { answer, error, changed } = await repair(files, {
      repository: { name: 'area', branch: 'runwright/1', baseBranch: 'main', checks },
    })
    assert.ok(answer, String(error))
    assert.match(changed['area.js']!, /width \* height/)
    assert.match(answer.answer, /`node --test 'checks\/\*\.js'` in fresh processes/)
  })

  test('by the files that a check of unittest names', { skip: !hasPython && 'there is no python3' }, async () => {
    const files = {
      'shop/area.py': 'def area(width, height):\n    return width + height\n',
      'shop/checks/check_area.py': `import unittest
from area import area

class Area(unittest.TestCase):
    def test_area(self):
        self.assertEqual(area(3, 4), 12)

    def test_nothing(self):
        self.assertEqual(area(0, 4), 0)
`,
    }
    const checks = [{ name: 'unit', command: "python3 -m unittest discover -s checks -p 'check_*.py'", path: 'shop' }]
    const { answer, error, changed } = await repair(files, {
      repository: { name: 'area', branch: 'runwright/1', baseBranch: 'main', checks },
    })
    assert.ok(answer, String(error))
    assert.match(changed['shop/area.py']!, /width \* height/)
  })

  test('with a stop in the middle', async () => {
    const stop = new AbortController()
    await using sandbox = await openWorkspace(programFiles('library'))
    const turn = new MemoryTurn({ sandbox, signal: stop.signal })
    const step = turn.step.bind(turn)
    turn.step = (intent, act, options) => {
      if (intent.key.startsWith('t1/search/')) queueMicrotask(() => stop.abort(new Error('stopped by ada')))
      return step(intent, act, options)
    }
    await assert.rejects(engine.run(turn), /stopped by ada/)
  })
})
