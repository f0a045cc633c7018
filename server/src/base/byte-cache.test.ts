import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from './byte-cache.ts'

test('what was used last stays, within the bytes', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 10; n++) cache.set(`key ${n}`, n, 800)
  assert.equal(cache.get('key 0'), 0)
  cache.set('key 10', 10, 800)
  assert.equal(cache.get('key 1'), undefined)
  assert.equal(cache.get('key 0'), 0)
  assert.equal(cache.get('key 10'), 10)
})

test('a value that is set again takes the room of the new one only', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 50; n++) cache.set('one', n, 1_000)
  cache.set('other', 1, 1_000)
  assert.equal(cache.get('one'), 49)
  assert.equal(cache.get('other'), 1)
})

test('what would drive out most others is not kept, and takes its older self along', () => {
  const cache = new ByteCache<number>(10_000)
  cache.set('one', 1, 1_000)
  cache.set('one', 2, 1_100)
  assert.equal(cache.get('one'), undefined)
})

test('values of no size take room too', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 51; n++) cache.set(`key ${n}`, n, 0)
  assert.equal(cache.get('key 0'), undefined)
  assert.equal(cache.get('key 50'), 50)
})
