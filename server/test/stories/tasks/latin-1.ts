import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, call, edit, finish, insist, read, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const lines = [
  '# -*- coding: latin-1 -*-',
  '"""Gr\u00fc\u00dfe f\u00fcr G\u00e4ste; \u00a9 K\u00e4the M\u00fcller"""',
  '',
  'GREETINGS = {"de": "Gr\u00fc\u00df Gott", "fr": "\u00c0 bient\u00f4t"}',
  '',
  '',
  'def greet(language, name):',
  '    return GREETINGS[language] + " " + name',
  '',
]
const source = lines.join('\r\n')
const tests = `import unittest

from greet import greet


class Greet(unittest.TestCase):
    def test_greets(self):
        self.assertEqual(greet("de", "Ada"), "Gr\\u00fc\\u00df Gott Ada")
`
const command = 'python3 -m unittest -q test_greet'
const before = '    return GREETINGS[language] + " " + name'
const after = '    return GREETINGS.get(language, GREETINGS["de"]) + " " + name'
const title = 'Greet in German where a language is not known'

export const task: AgentTask = {
  title: 'edits a file in Latin-1 with line ends of Windows, and leaves its other bytes alone',
  wire: 'google',
  files: {
    'greet.py': Buffer.from(source, 'latin1'),
    'test_greet.py': tests,
    '.gitignore': '__pycache__/\n',
  },
  prompt: 'greet("xx", "Ada") raises a KeyError. Where a language is not known, greet in German.',
  answers: [
    answer('', read('greet.py'), call('search', { pattern: 'GREETINGS' })),
    answer('The encoding is named in its first line, and edit keeps it.', edit('greet.py', before, after)),
    answer('', shell(command), shell(`python3 -c 'from greet import greet; print(ascii(greet("xx", "Ada")))'`)),
    finish({ title, summary: 'An unknown language falls back to German [t1-3.2].', steps: ['t1-3.1', 't1-3.2'] }),
  ],
  changed: { 'greet.py': '1 1' },
  says: [/falls back to German/, /`python3 -m unittest -q test_greet`: passed/],
  exitCodes: [0, 0],
  hidden: async (clone) => {
    const bytes = await readFile(path.join(clone, 'greet.py'))
    assert.deepEqual(bytes, Buffer.from(source.replace(before, after), 'latin1'))
    const check =
      'from greet import greet\nassert greet("xx", "B") == greet("de", "B")\nassert greet("fr", "B") == "\\u00c0 bient\\u00f4t B"\n'
    await runHidden(clone, { 'hidden.py': check }, 'python3', 'hidden.py')
  },
  lie: {
    title: 'breaks the file by another encoding and says that its tests passed',
    answers: [
      answer('', read('greet.py')),
      answer('', edit('greet.py', before, after)),
      answer('', shell(`iconv -f latin1 -t utf-16 greet.py > g && mv g greet.py; ${command}`)),
      ...insist(finish({ title, summary: 'The tests pass [t1-3.1].', steps: ['t1-3.1'] })),
    ],
    ends: 'stuck',
  },
}
