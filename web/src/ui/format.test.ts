import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf, formatAgo, formatTokens } from './format.ts'

test('one is not many', () => {
  assert.deepEqual(
    [
      countOf(0, 'run'),
      countOf(1, 'run'),
      countOf(2_000, 'run'),
      countOf(1, 'entry', 'entries'),
      countOf(3, 'entry', 'entries'),
    ],
    ['0 runs', '1 run', '2,000 runs', '1 entry', '3 entries'],
  )
})

test('how long ago is told in minutes and hours, and tokens in thousands and millions', () => {
  const now = Date.parse('2026-03-04T12:00:00Z')
  assert.equal(formatAgo('2026-03-04T11:59:40Z', now), 'just now')
  assert.equal(formatAgo('2026-03-04T11:48:00Z', now), '12 min ago')
  assert.equal(formatAgo('2026-03-04T09:00:00Z', now), '3 h ago')
  assert.deepEqual([1, 950, 12_345, 3_400_000].map(formatTokens), [
    '1 token',
    '950 tokens',
    '12k tokens',
    '3.4M tokens',
  ])
})
