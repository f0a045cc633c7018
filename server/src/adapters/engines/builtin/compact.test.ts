import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelScript, ScriptedReply } from '#test/model-server.ts'
import { assertEndsWith, messagesOf, plain, play } from '#test/play-agent.ts'
import { testWorkspaces } from '#test/test-workspace.ts'

const makeWorkspace = testWorkspaces()
const files = { 'a.js': 'export const a = 1\n' }
const finish: ScriptedReply = { calls: [{ name: 'finish', input: { summary: 'Done.' } }] }
const fill = (number: number): ScriptedReply => ({
  text: `Look ${number}.`,
  calls: [{ name: 'shell', input: { command: `seq -s ' ' ${number}000 ${number}999; echo the end` } }],
  usage: { input: number * 1_700, output: 50 },
})

test('a conversation that grows loses its old results first', async () => {
  await using sandbox = await makeWorkspace(files)
  const replies = [...[1, 2, 3, 4, 5].map(fill), finish]
  const { answer, turn, requests } = await play(replies, { sandbox, options: { contextTokens: 10_000 } })
  assert.equal(answer?.answer, 'Done.')
  const compaction = turn.entries.find(({ toolName }) => toolName === 'compaction')
  assert.match(plain(compaction?.observation), /Old results were left out/)
  const last = JSON.stringify(messagesOf(requests.at(-1)?.body))
  assert.match(last, /\[result left out: shell 'seq -s ' ' 1000 1999; echo the end', exit 0, 6 KB\]/)
  assert.match(last, /5998 5999/)
})

test('a conversation grows also where the provider counts no tokens, or less than none', async () => {
  await using sandbox = await makeWorkspace(files)
  for (const usage of [
    { input: 0, output: 0 },
    { input: -5_000, output: 50 },
  ]) {
    const replies = [...[1, 2, 3, 4, 5, 6].map((number) => ({ ...fill(number), usage })), finish]
    const { turn } = await play(replies, { sandbox, options: { contextTokens: 10_000 } })
    assert.ok(turn.entries.some(({ toolName }) => toolName === 'compaction'))
  }
})

test('a conversation that grows is summed up when that is not enough, and a worker that takes over sees the same', async () => {
  await using sandbox = await makeWorkspace(files)
  const talk = (number: number): ScriptedReply => ({
    text: `Thought ${number}. ${'word '.repeat(600)}`,
    calls: [{ name: 'shell', input: { command: `echo ${number}` } }],
    usage: { input: 1_000 * number, output: 900 },
  })
  const script: ModelScript = ({ body }, number) => {
    if (!body['tools']) return { text: 'HAND-OVER: the task is to fix median().' }
    return number < 10 ? talk(number) : finish
  }
  const { answer, turn, requests } = await play(script, { sandbox, options: { contextTokens: 10_000 } })
  assert.equal(answer?.answer, 'Done.')
  assert.match(
    plain(turn.entries.find(({ toolName }) => toolName === 'compaction')?.observation),
    /Old work was summed up/,
  )
  const last = messagesOf(requests.at(-1)?.body)
  assert.match(plain(last[1]?.['content']), /Make the failing tests pass/)
  assert.match(plain(last[2]?.['content']), /HAND-OVER: the task is to fix median/)
  assert.equal(last[3]?.['role'], 'assistant')
  assert.ok(!JSON.stringify(last).includes('Thought 1.'))
  const store = { ...turn.store, steps: turn.store.steps.slice(0, -2) }
  const next = await play(() => finish, { sandbox, store, options: { contextTokens: 10_000 } })
  assert.equal(next.requests[0]?.text, requests.at(-1)?.text)
})

test('a conversation that grows is made shorter after an overflow, and given up after the second', async () => {
  await using sandbox = await makeWorkspace(files)
  for (const wire of ['anthropic', 'chat', 'responses', 'google']) {
    const { answer, turn } = await play([fill(1), fill(2), { fault: 'overflow' }, finish], { sandbox, wire })
    assert.equal(answer?.answer, 'Done.', wire)
    assert.equal(turn.entries.filter(({ toolName }) => toolName === 'compaction').length, 1)
  }
  const script: ModelScript = ({ body }) => (body['tools'] ? { fault: 'overflow' } : { text: 'summary' })
  const { error } = await play(script, { sandbox })
  assertEndsWith(error, 'context_overflow', /does not fit/)
})
