import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fenceText } from './fence-text.ts'

test('a text is fenced by more than any fence in it', () => {
  assert.equal(fenceText('a'), '```\na\n```')
  assert.equal(fenceText('a\n', 'suggestion'), '```suggestion\na\n```')
  assert.equal(fenceText('', 'suggestion'), '```suggestion\n```')
  assert.equal(fenceText('````js\nx\n````'), '`````\n````js\nx\n````\n`````')
})
