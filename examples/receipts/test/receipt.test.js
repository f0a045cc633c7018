import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addItem, createBasket } from '../src/basket.js'
import { printReceipt } from '../src/receipt.js'

test('prints a line for each item, and the total', () => {
  const receipt = printReceipt(addItem(createBasket(), { name: 'Tea', cents: 450, count: 2 }))
  assert.equal(receipt, `2 x Tea                     9.00\n${'-'.repeat(32)}\nTotal                       9.00`)
})

test('shows a discount', () => {
  assert.match(printReceipt(addItem(createBasket(), { name: 'Machine', cents: 25000 })), /Discount\s+-25\.00\nTotal\s+225\.00$/)
})
