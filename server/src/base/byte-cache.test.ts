import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteCache } from './byte-cache.ts'

/** What is set for the second time is kept. */
function keep<T>(cache: ByteCache<T>, key: string, value: T, bytes: number): void {
  cache.set(key, value, bytes)
  cache.set(key, value, bytes)
}

test('what is set for the first time is not kept', () => {
  const cache = new ByteCache<number>(10_000)
  cache.set('one', 1, 800)
  assert.equal(cache.get('one'), undefined)
  cache.set('one', 2, 800)
  assert.equal(cache.get('one'), 2)
})

test('what was read once long ago is forgotten', () => {
  const cache = new ByteCache<number>(10_000_000)
  for (let n = 0; n <= 4_096; n++) cache.set(`key ${n}`, n, 1)
  cache.set('key 0', 0, 1)
  cache.set('key 2', 2, 1)
  assert.equal(cache.get('key 0'), undefined)
  assert.equal(cache.get('key 2'), 2)
})

test('what was used last stays, within the bytes', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 10; n++) keep(cache, `key ${n}`, n, 800)
  assert.equal(cache.get('key 0'), 0)
  keep(cache, 'key 10', 10, 800)
  assert.equal(cache.get('key 1'), undefined)
  assert.equal(cache.get('key 0'), 0)
  assert.equal(cache.get('key 10'), 10)
})

test('a value that is set again takes the room of the new one only', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 50; n++) cache.set('one', n, 1_000)
  keep(cache, 'other', 1, 1_000)
  assert.equal(cache.get('one'), 49)
  assert.equal(cache.get('other'), 1)
})

test('what would drive out most others is not kept, and takes its older self along', () => {
  const cache = new ByteCache<number>(10_000)
  keep(cache, 'one', 1, 1_000)
  cache.set('one', 2, 1_100)
  assert.equal(cache.get('one'), undefined)
})

test('values of no size take room too', () => {
  const cache = new ByteCache<number>(10_000)
  for (let n = 0; n < 51; n++) keep(cache, `key ${n}`, n, 0)
  assert.equal(cache.get('key 0'), undefined)
  assert.equal(cache.get('key 50'), 50)
})
