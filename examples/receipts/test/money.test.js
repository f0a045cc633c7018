import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCents, percentOf } from '../src/money.js'

test('prints cents with two digits', () => {
  assert.equal(formatCents(5), '0.05')
  assert.equal(formatCents(1234), '12.34')
  assert.equal(formatCents(-250), '-2.50')
})

test('rounds a share to whole cents', () => {
  assert.equal(percentOf(999, 5), 50)
  assert.equal(percentOf(1000, 10), 100)
})
