import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cart } from '../src/cart.ts'

test('sums up', () => {
  const cart = new Cart().add({ name: 'tea', cents: 300, count: 2 }).add({ name: 'tea', cents: 300, count: 1 })
  assert.equal(cart.totalCents(), 900)
  assert.equal(cart.lines.length, 1)
})
test('takes the usual discount', () => {
  const cart = new Cart().add({ name: 'pot', cents: 2000, count: 1 })
  assert.equal(cart.totalCents({ minimumCents: 1000 }), 1900)
})
