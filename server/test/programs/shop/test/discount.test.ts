import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { discountCents, type Discount } from '../src/discount.ts'

const none: Discount = { percent: 0, minimumCents: 0 }

describe('discount', () => {
  it('rounds', () => assert.equal(discountCents(333, { percent: 10, minimumCents: 0 }), 33))
  it('needs a minimum', () => assert.equal(discountCents(333, { percent: 10, minimumCents: 334 }), 0))
  it('may be nothing', () => assert.equal(discountCents(333, none), 0))
})
