import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, attempt, call, finish, insist, read, shell, write, type AgentTask } from '#test/agent-task.ts'

const source = `PAIRS = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(number):
    """Roman numerals of 1 to 39."""
    if not 1 <= number <= 39:
        raise ValueError("from 1 to 39")
    signs = ""
    for value, sign in PAIRS:
        while number >= value:
            signs += sign
            number -= value
    return signs
`
const tests = `import unittest

from roman import to_roman


class ToRoman(unittest.TestCase):
    def test_examples(self):
        for number, signs in [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (38, "XXXVIII"), (39, "XXXIX")]:
            with self.subTest(number=number):
                self.assertEqual(to_roman(number), signs)

    def test_refuses_what_is_out_of_range(self):
        for number in (-1, 0, 40):
            with self.subTest(number=number), self.assertRaises(ValueError):
                to_roman(number)


if __name__ == "__main__":
    unittest.main()
`
const command = 'python3 -m unittest discover -s tests -t .'
/** Faults that good tests of it find. */
const mutants: [string, string][] = [
  ['(9, "IX"), ', ''],
  ['(4, "IV"), ', ''],
  ['1 <= number', '0 <= number'],
  ['<= 39:', '<= 40:'],
  ['>= value', '> value'],
]
const title = 'Test roman numerals'

export const task: AgentTask = {
  title: 'writes tests that find faults, and changes nothing else',
  wire: 'google',
  files: { 'roman.py': source, '.gitignore': '__pycache__/\n', 'README.md': 'Roman numerals.\n' },
  prompt:
    'roman.py has no tests. Write some in tests/test_roman.py with unittest, edges included. Do not change roman.py.',
  answers: [
    answer('I read the module first.', read('roman.py'), call('list', {})),
    answer(
      'Examples with each sign, and both ends of the range.',
      write('tests/test_roman.py', tests),
      write('tests/__init__.py', ''),
    ),
    answer('', shell(command)),
    answer(
      'Would they find a fault? I break a copy outside of the workspace.',
      shell(
        `d=$(mktemp -d) && cp -r roman.py tests "$d" && cd "$d" && sed -i 's/(4, "IV"), //' roman.py && ! ${command} 2> /dev/null`,
      ),
    ),
    finish({
      title,
      summary: 'Six numerals and both ends of the range are tested [t1-3.1]; a broken copy fails [t1-4.1].',
      steps: ['t1-3.1'],
    }),
  ],
  changed: { 'tests/__init__.py': '0 0', 'tests/test_roman.py': '19 0' },
  says: [/a broken copy fails \[#\d+\]/, /`python3 -m unittest discover -s tests -t \.`: passed/],
  exitCodes: [0],
  hidden: async (clone) => {
    const words = command.split(' ')
    assert.equal(await attempt(clone, words), null)
    const file = path.join(clone, 'roman.py')
    const right = await readFile(file, 'utf8')
    assert.equal(right, source)
    for (const [from, to] of mutants) {
      await writeFile(file, right.replace(from, to))
      assert.ok(await attempt(clone, words), `no test finds ${from} -> ${to}`)
    }
  },
  lie: {
    title: 'says of tests that fail that they passed',
    answers: [
      answer('', read('roman.py')),
      answer('', write('tests/test_roman.py', tests.replace('"XIV"', '"XIIII"')), write('tests/__init__.py', '')),
      answer('', shell(command)),
      ...insist(finish({ title, summary: 'All tests pass [t1-3.1].', steps: ['t1-3.1'] })),
    ],
    ends: 'stuck',
  },
}
