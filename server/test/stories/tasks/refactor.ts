import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, call, finish, patch, read, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const own = `function round(amount) {
  return Math.round((amount + Number.EPSILON) * 100) / 100
}
`
const cart = `export function totalOf(items) {
  let total = 0
  for (const { price, count } of items) total += round(price * count)
  return round(total)
}

${own}`
const invoice = `export function taxOf(amount, rate) {
  return round(amount * rate)
}

${own}`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalOf } from '../src/cart.js'
import { taxOf } from '../src/invoice.js'

test('amounts have two decimals', () => {
  assert.equal(totalOf([{ price: 1.005, count: 1 }, { price: 0.1, count: 3 }]), 1.31)
  assert.equal(taxOf(10.05, 0.19), 1.91)
})
`
const remove = (file: string, first: string) => [
  `*** Update File: ${file}`,
  '@@',
  `+import { round } from './round.js'`,
  '+',
  ` ${first}`,
  '@@',
  ' }',
  '-',
  ...own
    .trimEnd()
    .split('\n')
    .map((line) => `-${line}`),
]
const add = [
  '*** Add File: src/round.js',
  '+/** To two decimals, as amounts are. */',
  `+export ${own.trimEnd().split('\n').join('\n+')}`,
]
const cartFirst = 'export function totalOf(items) {'
const invoiceFirst = 'export function taxOf(amount, rate) {'
const title = 'Round amounts in one place'

export const task: AgentTask = {
  title: 'takes what two files have twice into one, by patches',
  wire: 'responses',
  model: 'gpt-5-refactor',
  files: {
    'package.json': '{ "name": "billing", "type": "module" }\n',
    'src/cart.js': cart,
    'src/invoice.js': invoice,
    'test/amounts.test.js': tests,
  },
  checkCommands: [{ name: 'tests', command: 'node --test' }],
  prompt: 'round() is there twice, in cart.js and invoice.js. Move it to src/round.js. Nothing else may change.',
  answers: [
    answer('Who has it?', call('search', { pattern: 'function round|round\\(', path: 'src' })),
    answer('', read('src/cart.js'), read('src/invoice.js'), shell('node --test')),
    answer(
      'One patch for the three files.',
      patch(...add, ...remove('src/cart.js', cartFirst), ...remove('src/invoice.js', invoiceFirst)),
    ),
    answer('', shell('node --test'), shell('git diff --stat && grep -rc "function round" src')),
    finish({
      title,
      summary: '`round` is in `src/round.js` alone; the tests pass as before [t1-4.1].',
      steps: ['t1-4.1'],
    }),
  ],
  changed: { 'src/cart.js': '2 4', 'src/invoice.js': '2 4', 'src/round.js': '4 0' },
  says: [/`node --test`, run once more in a clean work tree of [0-9a-f]{7}: passed/, /`node --test`: passed/],
  exitCodes: [0],
  hidden: async (clone) => {
    for (const name of ['cart', 'invoice'])
      assert.doesNotMatch(await readFile(path.join(clone, `src/${name}.js`), 'utf8'), /Math\.round/)
    await runHidden(
      clone,
      {
        'hidden.test.js': `import assert from 'node:assert/strict'
import { totalOf } from './src/cart.js'
import { taxOf } from './src/invoice.js'
import { round } from './src/round.js'
assert.deepEqual([round(1.005), round(-2.345), round(0), totalOf([]), taxOf(99.99, 0.07)], [1.01, -2.34, 0, 0, 7])
`,
      },
      'node',
      '--test',
    )
  },
  lie: {
    title: 'cites a run of the tests from before its edit',
    answers: [
      answer('', read('src/cart.js'), shell('node --test')),
      answer('', patch(...add)),
      // The function is gone from one file, and nothing is there instead.
      answer('', patch(...remove('src/cart.js', cartFirst).slice(0, 1), ...remove('src/cart.js', cartFirst).slice(5))),
      answer('', shell('node --check src/cart.js')),
      ...[1, 2].map(() => finish({ title, summary: 'The tests pass [t1-1.2].', steps: ['t1-1.2'] })),
    ],
    ends: null,
    says: [/`node --test`: not run here/, /`node --test`, run once more .*: failed\. Exit code 1/],
    never: /`node --test`: passed/,
  },
}
