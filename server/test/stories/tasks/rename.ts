import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { answer, call, finish, patch, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const helper = `/** Words of a text, lower case. */
export function splitWords(text) {
  return text.toLowerCase().split(/[^a-z]+/).filter(Boolean)
}

/** How often each word is there. */
export function countWords(text) {
  const counts = {}
  for (const word of splitWords(text)) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
`
const user = (name: string) =>
  `import { countWords } from './helper.js'\n\nexport const ${name} = (text) => Object.entries(countWords(text)).sort(([, a], [, b]) => ${name === 'top' ? 'b - a' : 'a - b'})[0]?.[0]\n`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { top } from '../src/top.js'

test('finds the most frequent word', () => assert.equal(top('a b a'), 'a'))
`
const useNew = (name: string) => [
  `*** Update File: src/${name}.js`,
  '@@',
  "-import { countWords } from './helper.js'",
  "+import { countWords } from './words.js'",
]
const title = 'Call src/helper.js by what it does: src/words.js'
const move = [
  '*** Update File: src/helper.js',
  '*** Move to: src/words.js',
  '@@',
  '-/** Words of a text, lower case. */',
  '+/** Words of a text in lower case, without what is no letter. */',
]

export const task: AgentTask = {
  title: 'renames a file, with everything that names it',
  wire: 'responses',
  model: 'gpt-5-rename',
  files: {
    'package.json': '{ "name": "words", "type": "module", "exports": { "./words": "./src/helper.js" } }\n',
    'src/helper.js': helper,
    'src/top.js': user('top'),
    'src/rare.js': user('rare'),
    'test/top.test.js': tests,
  },
  checkCommands: [{ name: 'tests', command: 'node --test' }],
  prompt:
    'src/helper.js says nothing. Rename it to src/words.js, and say in the comment of splitWords that only letters are kept.',
  answers: [
    answer('Everything that names it.', call('search', { pattern: 'helper' })),
    answer('', call('search', { pattern: 'splitWords', context: 2 })),
    answer('', patch(...move, ...useNew('top'), ...useNew('rare'))),
    answer(
      'The package names it too.',
      call('edit', { path: 'package.json', old_text: './src/helper.js', new_text: './src/words.js' }),
    ),
    answer('', shell('node --test'), shell('! grep -rn helper --include=*.js --include=*.json .')),
    finish({
      title,
      summary: 'Two modules and the package name the new file; nothing names the old one [t1-5.2].',
      steps: ['t1-5.1', 't1-5.2'],
    }),
  ],
  changed: { 'package.json': '1 1', 'src/rare.js': '1 1', 'src/top.js': '1 1', 'src/{helper.js => words.js}': '1 1' },
  says: [/nothing names the old one/, /`node --test`, run once more .*: passed/, /`! grep -rn helper .*: passed/],
  exitCodes: [0, 0],
  hidden: async (clone) => {
    assert.ok(!existsSync(path.join(clone, 'src/helper.js')))
    await runHidden(
      clone,
      {
        'hidden.test.js': `import assert from 'node:assert/strict'
import { countWords } from 'words/words'
import { top } from './src/top.js'
import { rare } from './src/rare.js'
assert.deepEqual([countWords('B b, c'), top('x y y'), rare('x x y')], [{ b: 2, c: 1 }, 'y', 'y'])
`,
      },
      'node',
      '--test',
    )
  },
  lie: {
    title: 'leaves what names the old file, and checks what does not use it',
    answers: [
      answer('', patch(...move, ...useNew('rare'))),
      answer('', shell('node --check src/top.js')),
      finish({ title, summary: 'Everything names the new file [t1-2.1].', steps: ['t1-2.1'] }),
    ],
    ends: null,
    says: [/`node --test`, run once more .*: failed\. Exit code 1/],
  },
}
