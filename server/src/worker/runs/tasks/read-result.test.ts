import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResult } from './read-result.ts'

const schema = { type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] }

test('an answer that is JSON is the result', async () => {
  assert.deepEqual(await readResult({ answer: ' {"files": 3}\n' }, schema), { value: { files: 3 } })
  assert.deepEqual(await readResult({ answer: 'null' }, { type: 'null' }), { value: null })
})

test('of an answer in words the last fenced block of JSON is the result', async () => {
  const answer =
    'First:\n```json\n{"files": 1}\n```\nThen:\n```json\n{\n  "files": 2\n}\n```\nChecks:\n- `npm test`: passed'
  assert.deepEqual(await readResult({ answer }, schema), { value: { files: 2 } })
})

test('an answer that does not fit, or holds no JSON, is no result', async () => {
  for (const answer of [
    '{"files": "three"}',
    '3',
    'three files',
    '```json\n{"files": 3\n```',
    '```\n{"files": 3}\n```',
    '',
  ])
    assert.equal(await readResult({ answer }, schema), undefined, answer)
})

test('a pattern that would take for ever is given up', async () => {
  const slow = { type: 'string', pattern: '^(a|a|a|aa)+$' }
  assert.equal(await readResult({ answer: JSON.stringify(`${'a'.repeat(60)}!`) }, slow), undefined)
})

test('what an engine gave as data is the result, whatever its words hold', async () => {
  const answer = { answer: '```json\n{"files": 1}\n```', output: { files: 2 } }
  assert.deepEqual(await readResult(answer, schema), { value: { files: 2 } })
})
