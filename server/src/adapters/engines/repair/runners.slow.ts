import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Bench } from './bench.ts'
import { installTools } from './install-tools.ts'
import { openRepair } from './repair.ts'
import { defaultRepairLimits } from './repair-limits.ts'
import { findBroken } from './run-tests.ts'
import type { TestResult } from './suite.ts'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { MemoryTurn } from '#test/memory-turn.ts'
import { testSandboxes } from '#test/test-sandboxes.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 2048 * MiB, processes: 512, diskBytes: 1024 * MiB, lifetimeMs: 300_000 }
const installed = path.join(import.meta.dirname, '../../../../test/programs/runners')
const skip = existsSync(path.join(installed, 'node_modules')) ? false : 'the runners are not installed'
const { base, provider } = testSandboxes()
const archive = path.join(base, 'modules.tar')
if (!skip) execFileSync('tar', ['-cf', archive, '-C', installed, 'node_modules'])

/** A shop of several modules; the fault is in `total`, which leaves the last item out. */
const modules = (isEsm: boolean) => {
  const names = (list: string, from: string) =>
    isEsm ? `import { ${list} } from '${from}'\n` : `const { ${list} } = require('${from}')\n`
  const exported = (list: string) => (isEsm ? `export { ${list} }\n` : `module.exports = { ${list} }\n`)
  return {
    'src/money.js': `function round(amount) {\n  return Math.round(amount * 100) / 100\n}\n${exported('round')}`,
    'src/discount.js': `${names('round', './money.js')}function discount(amount, percent) {\n  if (percent <= 0) return amount\n  return round(amount - (amount * percent) / 100)\n}\n${exported('discount')}`,
    'src/cart.js': `${names('discount', './discount.js')}function total(items, percent = 0) {
  let sum = 0
  for (let at = 0; at < items.length - 1; at++) {
    sum += items[at].price * items[at].count
  }
  return discount(sum, percent)
}
function count(items) {
  return items.reduce((sum, item) => sum + item.count, 0)
}
${exported('total, count')}`,
  }
}

const item = '{ price: 2, count: 3 }'
const checks = [
  ['total([])', '0'],
  [`total([${item}])`, '6'],
  [`total([${item}, ${item}])`, '12'],
  [`total([${item}, ${item}], 50)`, '6'],
  ['count([])', '0'],
  [`count([${item}])`, '3'],
  [`count([${item}, ${item}])`, '6'],
  ['discount(10, 0)', '10'],
  ['discount(10, 10)', '9'],
  ['discount(10, 100)', '0'],
]

function tests(head: string, equal: (left: string, right: string) => string): string {
  const cases = checks.map(([left, right], at) => `  it('case ${at}', () => ${equal(left!, right!)})`)
  return `${head}describe('cart', () => {\n${cases.join('\n')}\n})\n`
}

const required =
  "const { total, count } = require('../src/cart.js')\nconst { discount } = require('../src/discount.js')\n"
const imported = "import { total, count } from '../src/cart.js'\nimport { discount } from '../src/discount.js'\n"
const expected = (left: string, right: string) => `expect(${left}).toBe(${right})`
const asserted = (left: string, right: string) => `assert.equal(${left}, ${right})`

/** The same checks as rows; `base` is what jest's setup file gives. */
const rows = (base: string) => {
  const cases = checks.map(([left, right], at) => `  [${at}, () => ${left}, ${right}],\n`)
  return `describe.each([{ of: { what: 'cart' } }])('$of.what', () => {
  it.each([\n${cases.join('')}])('case %i', (at, act, right) => {
    expect(act()${base}).toBe(right${base})
  })
  it.each\`
    list    | sum
    \${[]} | \${0}
  \`('of nothing is $sum', ({ list, sum }) => expect(count(list)).toBe(sum))
})
`
}

type Project = { script: string; type: string; files: Record<string, string>; stuckMs?: number }

/** Those that are tried in a process that has the tests loaded: hundreds of changes a second, not one. */
const warm = [
  'jest',
  'jest with tables and settings',
  'vitest',
  'vitest with tables',
  'mocha',
  'mocha that compiles everything first',
  'tape',
  'ava',
]

const ofMocha = {
  ...modules(false),
  'test/cart.test.js': tests(`const assert = require('node:assert')\n${required}`, asserted),
}

const projects: Record<string, Project> = {
  jest: {
    script: 'jest',
    type: 'commonjs',
    files: { ...modules(false), 'test/cart.test.js': tests(required, expected) },
  },
  'jest that mocks a module': {
    script: 'jest',
    type: 'commonjs',
    files: {
      ...modules(false),
      'test/cart.test.js': tests(`jest.mock('node:fs', () => ({ x: 1 }))\n${required}`, expected),
    },
  },
  'jest with tables and settings': {
    script: 'jest',
    type: 'commonjs',
    files: {
      ...modules(false),
      'jest.config.js': `module.exports = {
  moduleNameMapper: { '^~/(.*)$': '<rootDir>/src/$1' },
  setupFilesAfterEnv: ['<rootDir>/test/setup.js'],
}
`,
      'test/setup.js': 'beforeEach(() => {\n  globalThis.base = 1\n})\n',
      'test/cart.test.js': required.replaceAll('../src/', '~/') + rows(' + base'),
    },
  },
  vitest: {
    script: 'eslint . && vitest run',
    type: 'module',
    files: {
      ...modules(true),
      'test/cart.test.js': tests(`import { describe, expect, it } from 'vitest'\n${imported}`, expected),
    },
  },
  'vitest with tables': {
    script: 'vitest run',
    type: 'module',
    files: {
      ...modules(true),
      'test/cart.test.js': `import { describe, expect, it } from 'vitest'\n${imported}${rows('')}`,
    },
  },
  mocha: {
    script: 'mocha test',
    type: 'commonjs',
    files: ofMocha,
  },
  'mocha that compiles everything first': {
    script: 'mocha --require ./compile.cjs test',
    stuckMs: 1_000,
    type: 'commonjs',
    files: { ...ofMocha, 'compile.cjs': 'for (const end = Date.now() + 2_500; Date.now() < end; );\n' },
  },
  tape: {
    script: "tape 'test/**/*.js'",
    type: 'commonjs',
    files: {
      ...modules(false),
      'test/cart.test.js': `const test = require('tape')\n${required}test('cart', (t) => {\n${checks.map(([left, right], at) => `  t.test('case ${at}', (st) => {\n    st.equal(${left}, ${right})\n    st.end()\n  })`).join('\n')}\n  t.end()\n})\n`,
      'test/count.js': `const test = require('tape')\n${required}test('nothing', (t) => {\n  t.plan(1)\n  setTimeout(() => t.equal(count([]), 0), 5)\n})\ntest('later', async (t) => {\n  t.equal(total([{ price: 2, count: 1 }]), 2)\n})\n`,
    },
  },
  ava: {
    script: 'ava',
    type: 'module',
    files: {
      ...modules(true),
      'test/cart.test.js': `import test from 'ava'\n${imported}${checks.map(([left, right], at) => `test('case ${at}', (t) => t.is(${left}, ${right}))`).join('\n')}\n`,
    },
  },
}

async function openProject(name: string) {
  const { script, type, files } = projects[name]!
  const sandbox = await provider.create({ id: `runners-${name.replaceAll(' ', '-')}`, limits })
  const { workspace, temporary } = sandbox.paths
  const manifest = JSON.stringify({ name: 'shop', private: true, type, scripts: { test: script } })
  for (const [file, text] of Object.entries({ ...files, 'package.json': manifest })) {
    await sandbox.writeFile(`${workspace}/${file}`, Buffer.from(text))
  }
  await sandbox.writeFile(`${temporary}/modules.tar`, readFileSync(archive))
  await sandbox.exec({
    shell: `tar -xf ${temporary}/modules.tar && rm ${temporary}/modules.tar`,
    timeoutMs: 60_000,
  }).result
  return sandbox
}

test('subtests of tape are tests of their own, alone and with the others', { skip }, async () => {
  await using sandbox = await openProject('tape')
  const turn = new MemoryTurn({ sandbox })
  await installTools(sandbox)
  const { suite, before } = await findBroken(turn, defaultRepairLimits)
  const failing = ['cart > case 1', 'cart > case 2', 'cart > case 3', 'later']
  const idsOf = (tests: TestResult[], isPassing: boolean) =>
    tests.filter((one) => one.isPassing === isPassing).map(({ name }) => name)
  assert.deepEqual(idsOf(before.tests, false).sort(), failing)
  assert.equal(before.tests.length, checks.length + 3)
  await using bench = await Bench.open(sandbox, suite, ['test/cart.test.js'], turn.signal)
  const run = (names: string[] | null, isCovering: boolean) =>
    bench.run({
      files: [{ file: 'test/cart.test.js', names }],
      candidate: null,
      isCovering,
      stopsAt: 'end',
      testMs: 5_000,
      totalMs: 30_000,
    })
  const all = await run(null, true)
  assert.deepEqual(idsOf(all.tests, false), failing.slice(0, 3))
  assert.equal(all.tests.length, checks.length + 1)
  const linesOf = (name: string) => all.tests.find((one) => one.name === name)?.lines?.['src/discount.js'] ?? []
  assert.ok(linesOf('cart > case 8').length > linesOf('cart > case 7').length, 'lines are those of the subtest')
  const one = await run(['cart > case 1'], false)
  assert.deepEqual(idsOf(one.tests, false), ['cart > case 1'])
  assert.equal(one.tests.length, 1)
})

describe('the repair engine fixes a project of', { skip }, () => {
  for (const [name, { stuckMs = 4_000 }] of casesOfCommit(Object.entries(projects), 2)) {
    test(name, async (t) => {
      await using sandbox = await openProject(name)
      const { workspace } = sandbox.paths
      const began = performance.now()
      const turn = new MemoryTurn({ sandbox })
      const answer = await openRepair({ stuckMs, alternativesMs: 300 }).run(turn)
      const changed = (await sandbox.readFile(`${workspace}/src/cart.js`)).toString()
      const tried = turn.entries
        .filter((entry) => entry.toolName === 'try_candidates')
        .map((entry) => JSON.stringify(entry.observation))
      t.diagnostic(`${name}: ${Math.round((performance.now() - began) / 1000)} s: ${answer.summary} ${tried.join(' ')}`)
      const located = turn.entries.find((entry) => entry.toolName === 'locate_fault')
      assert.equal((located!.toolInput as { mode: string }).mode, warm.includes(name) ? 'warm' : 'fresh')
      assert.match(changed, /at (<= items\.length - 1|< items\.length)/)
      assert.match(answer.answer, /Please review/)
    })
  }
})
