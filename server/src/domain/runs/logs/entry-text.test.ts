import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { entryText } from './entry-text.ts'

const plain = openRedactor([]).mask
const read = (entry: Entry, mask = plain) => JSON.parse(entryText(entry, { turn: 1, mask }))

test('an entry says everything, null where there is nothing', () => {
  assert.deepEqual(read({ messageType: 'ERROR', observation: 'no', durationMs: 1.6 }), {
    turn: 1,
    message_type: 'ERROR',
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: 'no',
    duration_ms: 2,
  })
})

test('what PostgreSQL cannot hold is kept in escaped form', () => {
  const entry = read({ messageType: 'ACTION', toolOutput: { output: 'a\0b\ud800c\udc00', 'k\0': '😀' } })
  assert.deepEqual(entry.tool_output, { output: 'a\\u0000b\\ud800c\\udc00', 'k\\u0000': '😀' })
})

test('a known secret is taken out wherever it stands, also as base64', () => {
  const mask = openRedactor([{ name: 'API_KEY', value: 'very-secret-value-123' }]).mask
  const coded = Buffer.from('very-secret-value-123').toString('base64')
  const entry: Entry = {
    messageType: 'ACTION',
    thought: 'use very-secret-value-123',
    toolName: 'tool-very-secret-value-123',
    toolInput: { command: ['echo', 'very-secret-value-123'] },
    toolOutput: { 'very-secret-value-123': coded },
    observation: `x${coded}`,
  }
  const text = entryText(entry, { turn: 1, mask })
  assert.equal(text.includes('very-secret-value-123'), false)
  assert.equal(text.includes(coded.replace(/=+$/, '')), false)
  assert.equal(JSON.parse(text).thought, 'use [redacted:API_KEY]')
})

test('a token of a well-known form is taken out though nobody told us of it', () => {
  const token = 'ghp_k9X2mQ7vB4nL8wR3tY6pZ1cD5fG0hJsAuEiK'
  assert.equal(read({ messageType: 'ACTION', observation: `token ${token}.` }).observation, 'token [redacted]')
})

test('ordinary text stays as it is', () => {
  const text = 'skip sk-learn, git log ghp, rw_short, AIza and base64 aGVsbG8='
  assert.equal(read({ messageType: 'ACTION', observation: text }).observation, text)
})

test('beyond the limit the middle of the longest text is cut and marked', () => {
  const entry = read({
    messageType: 'ACTION',
    thought: 'short',
    toolOutput: { output: `begin${'x'.repeat(1_000_000)}end` },
  })
  assert.ok(Buffer.byteLength(JSON.stringify(entry)) <= limits.logEntryBytesMax)
  assert.equal(entry.thought, 'short')
  assert.match(entry.tool_output.output, /^beginx+\n\[… \d+ characters left out …\]\nx+/)
})

test('very many small values are within the limit too', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index]))
  const text = entryText({ messageType: 'ACTION', toolOutput: many }, { turn: 1, mask: plain })
  assert.ok(Buffer.byteLength(text) <= limits.logEntryBytesMax)
})
