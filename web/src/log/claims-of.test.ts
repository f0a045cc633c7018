import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentRunLog } from '@runwright/sdk'
import { claimsOf, editOf } from './claims-of.ts'

let count = 0
const entry = (more: Partial<AgentRunLog>): AgentRunLog =>
  ({
    seq: ++count,
    message_type: 'ACTION',
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: null,
    ...more,
  }) as AgentRunLog
const shell = (command: string, exitCode: number) =>
  entry({ tool_name: 'shell', tool_input: { command }, tool_output: { exit_code: exitCode } })
const edit = (path: string) => entry({ tool_name: 'edit', tool_input: { path }, tool_output: { diff: '+x' } })

test('each claim is of the entry that shows it', () => {
  const [again, lint, passed, answered, opened] = [
    edit('a.txt'),
    shell('npm run lint', 0),
    shell('npm test', 0),
    entry({ message_type: 'FINAL_ANSWER', observation: 'Done' }),
    entry({ message_type: 'INITIAL_PR_GENERATION' }),
  ]
  const log = [again, lint, passed, answered, opened]
  const claims = claimsOf([edit('/workspace/src/b.txt'), shell('before', 0), ...log])
  assert.equal(editOf(claims, 'a.txt'), again.seq)
  assert.equal(editOf(claims, 'src/b.txt'), claims.edits.get('/workspace/src/b.txt'))
  assert.equal(editOf(claims, 'c.txt'), null)
  assert.deepEqual(claims.commands, [
    { seq: lint.seq, command: 'npm run lint', exitCode: 0 },
    { seq: passed.seq, command: 'npm test', exitCode: 0 },
  ])
  assert.deepEqual([claims.answer, claims.pull], [answered.seq, opened.seq])
})

test('a run that edited nothing with a tool shows its last commands', () => {
  const claims = claimsOf(['a', 'b', 'c', 'd'].map((command) => shell(command, 0)))
  assert.deepEqual(
    claims.commands.map(({ command }) => command),
    ['b', 'c', 'd'],
  )
})
