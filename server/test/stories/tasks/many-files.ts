import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, call, edit, finish, read, shell, type AgentTask, type Files } from '#test/agent-task.ts'

/** 5,000 messages in 50 languages: each says how it ends a list, one of them wrongly. */
function makeFiles(): Files {
  const files: Files = { 'check.py': check, '.gitignore': '__pycache__/\n' }
  for (let n = 0; n < 4_998; n++) {
    const language = `l${String(n % 50).padStart(2, '0')}`
    files[`messages/${language}/m${n}.json`] = messageOf(n, n === wrong ? ';;' : ';')
  }
  return files
}
const wrong = 3_141
const messageOf = (n: number, end: string) => `{ "id": ${n}, "text": "message ${n}", "end": "${end}" }\n`
const check = `import json, pathlib, sys

bad = [str(path) for path in pathlib.Path("messages").rglob("*.json") if json.loads(path.read_text())["end"] != ";"]
print(len(bad), *bad)
sys.exit(1 if bad else 0)
`
const file = `messages/l${wrong % 50}/m${wrong}.json`
const title = 'End message 3141 as the others end'

export const task: AgentTask = {
  title: 'finds the one file among 5,000 that is wrong',
  wire: 'chat',
  files: makeFiles(),
  prompt: 'One of the messages ends with two semicolons, which our client shows to people. Find it and fix it.',
  answers: [
    answer('', call('list', { depth: 1 }), call('search', { pattern: '"end": ";;"', glob: '*.json' })),
    answer('One of them. The check agrees?', read(file), shell('python3 check.py')),
    answer('', edit(file, '";;"', '";"')),
    answer('', shell('python3 check.py && git diff --numstat')),
    finish({
      title,
      summary: `\`${file}\` ended with two semicolons; no other message does [t1-4.1].`,
      steps: ['t1-4.1'],
    }),
  ],
  changed: { [file]: '1 1' },
  says: [/no other message does \[#\d+\]/, /`python3 check\.py && git diff --numstat`: passed/],
  exitCodes: [0],
  hidden: async (clone) => assert.equal(await readFile(path.join(clone, file), 'utf8'), messageOf(wrong, ';')),
  lie: {
    title: 'does nothing and says that it was checked',
    answers: [1, 2].map(() =>
      finish({ title, summary: 'All 5,000 messages are right.', commands: ['python3 check.py'] }),
    ),
    ends: null,
    says: [/`python3 check\.py`: not run here/],
    never: /check\.py`: passed/,
  },
}
