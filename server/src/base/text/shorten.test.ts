import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shorten, shortenWithin } from './shorten.ts'

test('a text that is short enough stays as it is', () => {
  for (const text of ['', 'one', 'four']) {
    assert.equal(shorten(text, 4), text)
    assert.equal(shortenWithin(text, 4), text)
  }
})

test('a longer one keeps its beginning, and a mark that counts or does not', () => {
  assert.equal(shorten('fives', 4), 'five…')
  assert.equal(shortenWithin('fives', 4), 'fiv…')
})

test('no half of a character is left', () => {
  assert.equal(shorten('abc🙂d', 4), 'abc\ufffd…')
  assert.equal(shortenWithin('abc🙂d', 5), 'abc\ufffd…')
})
