import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOf, plain, play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'
import { explainCall } from './explain-call.ts'
import { offeredTools } from './tools/all-tools.ts'

const makeWorkspace = testWorkspaces()
const explain = (name: string, input: unknown) => explainCall({ name, input }, offeredTools)

test('a call that no tool can take is answered in one sentence', () => {
  for (const [name, input, expected] of [
    [
      'read',
      { path: 'a', start_line: 'x' },
      /^read was not called, because its arguments do not fit: start_line: expected number, received string\.$/,
    ],
    ['read', {}, /: path: expected string, received undefined\.$/],
    ['edit', { path: 'a', old: 'x', old_text: 'a', new_text: 'b' }, /there is no field old\.$/],
    ['search', { pattern: '' }, /: pattern: .*1.*\.$/],
    ['shell', '{"command": "ls', /^The arguments of shell are not valid JSON/],
    ['read', null, /: the whole: expected object, received null\.$/],
    ['bash', { command: 'ls' }, /^There is no tool bash; you may mean shell\. There are shell, session, read,/],
    ['str_replace_editor', {}, /; you may mean edit\./],
    ['Grep', {}, /; you may mean search\./],
    ['teleport', {}, /^There is no tool teleport\. There are/],
  ] as const) {
    const text = explain(name, input)
    assert.match(text, expected)
    assert.doesNotMatch(text, /AI_|\n|[{}[\]]/)
  }
  assert.ok(explain('read', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]))).length < 300)
  assert.ok(explain('x'.repeat(100_000), {}).length < 300)
})

test('the model reads that sentence and no second notice', async () => {
  await using sandbox = await makeWorkspace({})
  const script = [
    { calls: [{ name: 'read', input: { path: 7 } }] },
    { calls: [{ name: 'bash', input: { command: 'ls' } }] },
    { calls: [{ name: 'finish', input: { summary: 'Done.' } }] },
  ]
  const { requests, answer, turn } = await play(script, { sandbox })
  assert.equal(answer?.answer, 'Done.')
  const messages = messagesOf(requests.at(-1)?.body)
  assert.deepEqual(
    messages
      .filter(({ role }) => role !== 'assistant')
      .slice(2)
      .map(({ content }) => content),
    [
      'Error: read was not called, because its arguments do not fit: path: expected string, received number.',
      'Error: There is no tool bash; you may mean shell. There are shell, session, read, write, edit, search, list, fetch, plan, finish, ask_user.',
    ],
  )
  const errors = turn.entries.filter(({ messageType }) => messageType === 'ERROR')
  assert.deepEqual(
    errors.map(({ observation }) => plain(observation).slice(0, 20)),
    ['read was not called,', 'There is no tool bas'],
  )
})
