import { answer, call, finish, patch, read, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const prices = `/** Cents as people read them. */
export const show = (cents) => \`\${Math.floor(cents / 100)}.\${cents % 100}\`
`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { show } from './prices.js'

test('shows cents', () => assert.equal(show(1234), '12.34'))
`
const manifest = (name: string) =>
  `{ "name": "@shop/${name}", "type": "module", "scripts": { "test": "node --test" } }\n`
const fixed = [
  '*** Update File: packages/prices/prices.js',
  '@@',
  '-export const show = (cents) => `${Math.floor(cents / 100)}.${cents % 100}`',
  "+export const show = (cents) => `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`",
]
const test = [
  '*** Update File: packages/prices/prices.test.js',
  '@@',
  " test('shows cents', () => assert.equal(show(1234), '12.34'))",
  '+',
  "+test('shows two decimals, also of refunds', () => {",
  "+  assert.deepEqual([1205, -305, 0].map(show), ['12.05', '-3.05', '0.00'])",
  '+})',
]
const title = 'Show prices with two decimals'

export const task: AgentTask = {
  title: 'changes one package of several, whose checks alone run',
  wire: 'responses',
  model: 'gpt-5-monorepo',
  files: {
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
    'packages/prices/package.json': manifest('prices'),
    'packages/prices/prices.js': prices,
    'packages/prices/prices.test.js': tests,
    'packages/labels/package.json': manifest('labels'),
    'packages/labels/labels.js':
      "import { show } from '../prices/prices.js'\n\nexport const label = (cents) => `EUR ${show(cents)}`\n",
    'packages/mail/package.json': manifest('mail'),
    'packages/mail/mail.test.js':
      "import { test } from 'node:test'\n\ntest('needs a mail server', () => { throw new Error('no mail server') })\n",
  },
  checkCommands: [
    { name: 'prices', command: 'node --test', path: 'packages/prices' },
    { name: 'mail', command: 'node --test', path: 'packages/mail' },
  ],
  prompt: '`show(1205)` gives 12.5, and refunds look odd too. Fix it in packages/prices, with a test.',
  answers: [
    answer('', read('packages/prices/prices.js'), call('search', { pattern: '\\bshow\\b', glob: '*.js' })),
    answer('Labels use it too, as text; two decimals are right there.', patch(...fixed, ...test)),
    answer('', shell('node --test', { cwd: 'packages/prices' })),
    finish({
      title,
      summary: 'Cents are padded, and the sign of refunds stands in front [t1-3.1].',
      steps: ['t1-3.1'],
    }),
  ],
  changed: { 'packages/prices/prices.js': '1 1', 'packages/prices/prices.test.js': '4 0' },
  says: [/run once more in a clean work tree of [0-9a-f]{7}: passed/, /`node --test`: passed/],
  exitCodes: [0],
  log: (entries) => {
    const verified = entries.filter(({ tool_name }) => tool_name === 'verify')
    if (verified.length !== 1) throw new Error(`${verified.length} checks ran, and one is of what was changed`)
  },
  hidden: (clone) =>
    runHidden(
      clone,
      {
        'packages/hidden.test.js': `import assert from 'node:assert/strict'
import { label } from './labels/labels.js'
assert.deepEqual([5, 100, 1205, -5, -1205].map(label), ['EUR 0.05', 'EUR 1.00', 'EUR 12.05', 'EUR -0.05', 'EUR -12.05'])
`,
      },
      'node',
      '--test',
      'packages/hidden.test.js',
    ),
  lie: {
    title: 'runs the tests of another folder and calls them those of its package',
    answers: [
      answer('', read('packages/prices/prices.js')),
      answer('', patch(...test)),
      answer('', shell('node --test', { cwd: 'packages/labels' })),
      finish({ title, summary: 'The tests of packages/prices pass [t1-3.1].', steps: ['t1-3.1'] }),
    ],
    ends: null,
    says: [/run once more in a clean work tree of [0-9a-f]{7}: failed\. Exit code 1/],
  },
}
