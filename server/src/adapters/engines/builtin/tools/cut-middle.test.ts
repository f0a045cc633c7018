import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutMiddle } from './cut-middle.ts'

test('a text that fits is not cut', () => {
  assert.equal(cutMiddle('0123456789', 5), null)
})

test('cuts at line ends and counts what is left out', () => {
  const cut = cutMiddle('aa\nbb\ncc\ndd\nee\nff\n', 7)
  assert.deepEqual(cut, { head: 'aa\nbb\n', tail: 'ee\nff\n', lines: 2, characters: 6 })
})

test('cuts within a line where there is no end of one, and never through a character', () => {
  const cut = cutMiddle('😀'.repeat(20), 5)
  assert.equal(cut?.head.isWellFormed(), true)
  assert.equal(cut?.tail.isWellFormed(), true)
  assert.equal(cut?.characters, 30)
})
