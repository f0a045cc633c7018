import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBucket } from './token-bucket.ts'

test('what was not taken may be taken at once, and then only as fast as it comes back', () => {
  let now = 0
  const bucket = new TokenBucket({ perSecond: 10, atOnce: 5 }, () => now)
  assert.deepEqual(
    [1, 1, 1, 1, 1].map((amount) => bucket.take(amount)),
    [0, 0, 0, 0, 0],
  )
  assert.equal(bucket.take(1), 1)
  now += 100
  assert.equal(bucket.take(1), 0)
  now += 60_000
  assert.deepEqual([bucket.take(5), bucket.take(1) > 0], [0, true])
})

test('whoever takes more than there is owes it, and waits for as long as that takes', () => {
  let now = 0
  const bucket = new TokenBucket({ perSecond: 10, atOnce: 5 }, () => now)
  assert.equal(bucket.take(25), 0)
  assert.equal(bucket.take(1), 2_001)
  now += 2_001
  assert.equal(bucket.take(1), 0)
})
