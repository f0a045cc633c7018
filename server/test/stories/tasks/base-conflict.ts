import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { answer, attempt, edit, finish, insist, read, runHidden, shell, type AgentTask } from '#test/agent-task.ts'

const settings = (...lines: string[]) =>
  `LIMITS = {\n    "upload_mb": 10,\n${lines.map((line) => `    ${line},\n`).join('')}}\n`
const tests = `import unittest

from settings import LIMITS


class Limits(unittest.TestCase):
    def test_are_numbers(self):
        self.assertTrue(all(isinstance(limit, int) for limit in LIMITS.values()))
`
const command = 'python3 -m unittest -q test_settings'
const commit = 'git -c user.name=Agent -c user.email=agent@example.com commit -q'
const merge = `${commit} -a -m 'Limit requests' && git fetch -q origin main && git merge origin/main`
const title = 'Limit requests to 100 a minute'
const work = [
  answer('', read('settings.py')),
  answer('', edit('settings.py', '    "users": 5,\n', '    "users": 5,\n    "requests_per_minute": 100,\n')),
  answer('', shell(command)),
  answer('Has main moved meanwhile?', shell(merge)),
]

export const task: AgentTask = {
  title: 'merges the base branch, which moved meanwhile, and resolves the conflict',
  wire: 'chat',
  files: { 'settings.py': settings('"users": 5'), 'test_settings.py': tests, '.gitignore': '__pycache__/\n' },
  prompt:
    'Add the limit requests_per_minute of 100 to settings.py. Others change that file often: merge origin/main before you finish.',
  meanwhile: { answer: 4, files: { 'settings.py': settings('"users": 5', '"projects": 20') } },
  answers: [
    ...work,
    answer('Both have added a line in one place; both lines are right.', shell('git diff'), read('settings.py')),
    answer('', shell("sed -i '/^<<<<<<<\\|^=======\\|^>>>>>>>/d' settings.py && cat settings.py")),
    answer('', shell(`${command} && git add -A && ${commit} --no-edit`)),
    answer('', shell(`git status --short --branch && ${command}`)),
    finish({
      title,
      summary: '`requests_per_minute` is 100. main had got `projects` in the same place; both are kept [t1-8.1].',
      steps: ['t1-8.1'],
    }),
  ],
  changed: { 'settings.py': '1 0' },
  says: [/both are kept/, /`git status --short --branch && python3 .*: passed/],
  exitCodes: [0],
  log: (entries) => {
    const merged = entries.filter(({ tool_name }) => tool_name === 'shell')[1]?.tool_output
    if (!/CONFLICT/.test(String(merged?.['output']))) throw new Error(JSON.stringify(merged))
  },
  hidden: async (clone) => {
    assert.doesNotMatch(await readFile(path.join(clone, 'settings.py'), 'utf8'), /<<<|>>>|===/)
    assert.equal(await attempt(clone, ['git', 'merge-base', '--is-ancestor', 'origin/main', 'HEAD']), null)
    const check =
      'from settings import LIMITS\nassert LIMITS == {"upload_mb": 10, "users": 5, "projects": 20, "requests_per_minute": 100}, LIMITS\n'
    await runHidden(clone, { 'hidden.py': check }, 'python3', 'hidden.py')
  },
  lie: {
    title: 'leaves the marks of the conflict and says that it is resolved',
    answers: [
      ...work,
      answer('', edit('settings.py', '"users": 5,\n', '"users": 6,\n')),
      answer('', shell(`git add -A; ${command}`)),
      ...insist(finish({ title, summary: 'The conflict is resolved and the tests pass.', steps: ['t1-6.1'] })),
    ],
    ends: 'stuck',
  },
}
