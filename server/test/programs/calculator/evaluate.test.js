import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evaluate } from './evaluate.js'

describe('evaluate', () => {
  it('adds', () => assert.equal(evaluate('1 + 2 + 10'), 13))
  it('ranks', () => assert.equal(evaluate('2 + 3 * 4'), 14))
  it('groups', () => assert.equal(evaluate('(2 + 3) * (4)'), 20))
  it('goes from left to right', () => assert.equal(evaluate('(10 - 3 - 2)'), 5))
})
