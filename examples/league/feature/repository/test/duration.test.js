import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from '../src/duration.js'

test('seconds are written with their units', () => {
  assert.equal(formatDuration(5400), '1h 30m')
  assert.equal(formatDuration(45), '45s')
  assert.equal(formatDuration(0), '0s')
})
