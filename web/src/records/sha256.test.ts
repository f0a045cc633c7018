import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Sha256 } from './sha256.ts'

test('the sum of bytes is that which everybody else computes, in whatever pieces they come', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = randomBytes(length)
    const cut = Math.floor(length / 3)
    const sum = new Sha256().update(bytes.subarray(0, cut)).update(bytes.subarray(cut)).digest()
    assert.equal(sum, hash('sha256', bytes, 'hex'), `${length} bytes`)
  }
  const long = randomBytes(3_000_001)
  assert.equal(new Sha256().update(long).digest(), hash('sha256', long, 'hex'))
})
