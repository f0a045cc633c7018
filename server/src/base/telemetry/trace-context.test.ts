import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceparent } from './trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = `00-${traceId}-00f067aa0ba902b7-01`

test('a newer version of the header is read as far as it is known; what is malformed is passed over', () => {
  assert.equal(readTraceparent(`01-${traceId}-00f067aa0ba902b7-00-more`)?.traceId, traceId)
  const malformed = [
    '',
    'x',
    `${parent}-more`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-00f067aa0ba902b7`,
    `${parent}, ${parent}`,
  ]
  for (const header of malformed) assert.equal(readTraceparent(header), undefined, header)
})
