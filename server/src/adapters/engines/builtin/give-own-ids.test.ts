import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveOwnIds, type Generated } from './give-own-ids.ts'

test('calls without an id, and with one that is taken, get ids of their own, and others keep theirs', () => {
  const made = ['call_0', '', 'own', 'own', ' ', 'call_0']
  const content = made.map((toolCallId) => ({ type: 'tool-call' as const, toolCallId, toolName: 'read', input: '{}' }))
  const prompt = [
    {
      role: 'assistant' as const,
      content: [{ type: 'tool-call' as const, toolCallId: 'call_0', toolName: 'list', input: {} }],
    },
  ]
  const named = giveOwnIds({ content } as unknown as Generated, prompt)
  assert.deepEqual(
    named.content.map((part) => (part.type === 'tool-call' ? part.toolCallId : null)),
    ['call_0_2', 'call_1', 'own', 'own_2', 'call_2', 'call_0_3'],
  )
})
