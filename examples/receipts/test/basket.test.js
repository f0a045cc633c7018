import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addItem, createBasket, totalsOf } from '../src/basket.js'

test('adds up what is in it', () => {
  const basket = addItem(addItem(createBasket(), { name: 'Tea', cents: 450 }), { name: 'Cup', cents: 900, count: 2 })
  assert.deepEqual(totalsOf(basket), { sum: 2250, discount: 0, total: 2250 })
})

test('counts the same item together', () => {
  const basket = addItem(addItem(createBasket(), { name: 'Tea', cents: 450 }), { name: 'Tea', cents: 450, count: 2 })
  assert.equal(basket.lines.length, 1)
  assert.equal(totalsOf(basket).sum, 1350)
})

test('takes five percent off from 100.00', () => {
  const basket = addItem(createBasket(), { name: 'Kettle', cents: 5000, count: 2 })
  assert.deepEqual(totalsOf(basket), { sum: 10000, discount: 500, total: 9500 })
})

test('takes ten percent off above 200.00', () => {
  const basket = addItem(createBasket(), { name: 'Machine', cents: 25000 })
  assert.deepEqual(totalsOf(basket), { sum: 25000, discount: 2500, total: 22500 })
})

test('refuses what is no price', () => {
  assert.throws(() => addItem(createBasket(), { name: 'Tea', cents: -1 }), RangeError)
})
