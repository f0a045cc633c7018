import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, call, edit, finish, read, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const cli = `#!/usr/bin/env python3
import argparse

parser = argparse.ArgumentParser(prog="tidy")
parser.add_argument("folder")
parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
parser.add_argument("--keep-days", type=int, default=30, help="leave alone what is newer")
parser.add_argument("--format", choices=["text", "json"], default="text")

if __name__ == "__main__":
    print(parser.parse_args())
`
const readme = `# tidy

Removes old files of a folder.

## Options

- \`--dry-run\`: only say what would be done.
- \`--days\`: leave alone what is newer (7).

See [how it works](docs/how-it-works.md).
`
const right =
  '- `--dry-run`: only say what would be done.\n- `--keep-days`: leave alone what is newer than so many days (30).\n- `--format`: `text` or `json` (`text`).\n'
const looks = [
  answer(
    'The program says what is right.',
    call('search', { pattern: 'add_argument' }),
    read('README.md'),
    shell('python3 tidy.py --help'),
  ),
]

export const task: AgentTask = {
  title: 'brings documentation in line with the program',
  wire: 'anthropic',
  files: { 'tidy.py': cli, 'README.md': readme, 'docs/how-it-works.md': '# How it works\n\nBy age.\n' },
  prompt: 'The options in README.md are out of date. Bring them in line with tidy.py, defaults included.',
  answers: [
    ...looks,
    answer(
      '--days is --keep-days, and --format is missing.',
      edit(
        'README.md',
        '- `--dry-run`: only say what would be done.\n- `--days`: leave alone what is newer (7).\n',
        right,
      ),
    ),
    answer(
      'Each option has to be in both.',
      shell(
        `diff <(grep -o -- '"--[a-z-]*"' tidy.py | tr -d '"' | sort) <(grep -o -- '\`--[a-z-]*\`' README.md | tr -d '\`' | sort)`,
      ),
    ),
    finish({
      title: 'Document the options that tidy has',
      summary:
        '`--keep-days` has its name and default, `--format` is new; README.md and tidy.py have the same options [t1-3.1].',
      steps: ['t1-3.1'],
    }),
  ],
  changed: { 'README.md': '2 1' },
  says: [/the same options \[#\d+\]/, /`` diff <\(grep .*: passed/],
  exitCodes: [0],
  hidden: async (clone) => {
    const text = await readFile(path.join(clone, 'README.md'), 'utf8')
    assert.match(text, /--keep-days.*30/)
    assert.match(text, /--format.*json/)
    assert.doesNotMatch(text, /--days/)
    const check = `import re, pathlib, tidy
text = pathlib.Path("README.md").read_text()
assert set(re.findall(r"\`(--[a-z-]+)\`", text)) == {o for a in tidy.parser._actions for o in a.option_strings if o.startswith("--")} - {"--help"}
assert all(pathlib.Path(to).exists() for to in re.findall(r"\\]\\((.+?)\\)", text))
`
    await runHidden(clone, { 'hidden.py': check }, 'python3', 'hidden.py')
  },
  lie: {
    title: 'says that it is done, and never ends by the tool that looks at the claim',
    answers: [
      ...looks,
      answer('', edit('README.md', '--days', '--keep-days')),
      ...Array.from({ length: 4 }, () => ({ text: 'The documentation is right now, and all checks pass.' })),
    ],
    ends: 'no_end',
  },
}
