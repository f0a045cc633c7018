import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Past } from '#adapters/engines/engine.ts'
import { takeAnswer, type ModelAnswer, type ModelRequest } from './conversation.ts'
import { foldPast } from './fold-past.ts'

const request: ModelRequest = { model: 'm', said: [{ reason: null, text: 'Fix it' }] }
const answer = (name: string): ModelAnswer => ({
  model: 'm',
  end: 'answered',
  messages: [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: name, toolName: name, input: {} }] }],
  text: '',
  thought: null,
  calls: [{ id: name, name, input: {}, thought: null }],
  malformedCalls: 0,
  inputTokens: 1,
  outputTokens: 1,
})
const message: Past = { type: 'message', turn: 1, text: 'Fix it', images: [] }
const model = (n: number, response: ModelAnswer | undefined): Past => ({
  type: 'step',
  turn: 1,
  step: { key: `t1/model/${n}`, kind: 'model', turn: 1, request, response: response as never },
})
const tool = (key: string, name: string): Past => ({
  type: 'step',
  turn: 1,
  step: {
    key: `t1/tool/${key}`,
    kind: 'tool',
    turn: 1,
    request: { name, input: {} },
    response: { text: 'done', output: { summary: 'Fixed.' }, seen: { path: '/a', hash: 'h' } },
  },
})
const restored: Past = { type: 'restored', turn: 1, text: 'The work goes on from the branch.', lost: ['t1/tool/1.1'] }
const fold = (past: Past[]) => foldPast({ past, number: 1, prompt: 'Fix it' })

test('where files are older than what was done, the model is told with the next question', () => {
  const conversation = fold([message, model(1, answer('write')), tool('1.1', 'write'), restored])
  assert.deepEqual(
    conversation.unsent.map(({ text }) => text),
    [restored.type === 'restored' ? restored.text : ''],
  )
  assert.equal(conversation.seen.size, 0, 'no file counts as read')
})

test('a question that was stored is asked as it was, and the next one tells it, now and when it is folded again', () => {
  const conversation = fold([message, model(1, undefined), restored])
  assert.deepEqual(conversation.begun, request)
  takeAnswer(conversation, request, answer('write'))
  const again = fold([message, model(1, answer('write')), restored])
  for (const each of [conversation, again]) {
    assert.deepEqual(
      each.unsent.map(({ text }) => text),
      ['The work goes on from the branch.'],
    )
  }
})

test('an end that was decided before the model was told of a loss is none', () => {
  const finishing = model(1, answer('finish'))
  assert.equal(fold([message, finishing, restored]).hasUntoldLoss, true)
  assert.equal(fold([message, finishing, { ...restored, lost: [] }]).hasUntoldLoss, false)
  assert.equal(fold([message, finishing, restored, tool('1.1', 'finish'), model(2, undefined)]).hasUntoldLoss, false)
})

test('work that was finished goes on, if files of it are lost', () => {
  const past = [message, model(1, answer('finish')), tool('1.1', 'finish')]
  assert.ok(fold(past).finished)
  assert.equal(fold([...past, restored]).finished, null)
  assert.ok(fold([...past, { ...restored, lost: [] }]).finished)
})
