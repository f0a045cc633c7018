import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idMax, parseId, parseWholeNumber } from './ids.ts'

test('an id is a plain decimal number from 1 to 2^53 - 1', () => {
  assert.equal(parseId('1'), 1)
  assert.equal(parseId('9007199254740991'), idMax)
})

test('anything else is no id, and is never rounded to one', () => {
  const wrong = [
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '١',
    '9007199254740992',
    '9007199254740993',
    '9'.repeat(400),
  ]
  for (const text of wrong) assert.equal(parseId(text), undefined, `"${text}"`)
})

test('a whole number may be 0', () => {
  assert.equal(parseWholeNumber('0'), 0)
  assert.equal(parseWholeNumber('00'), undefined)
})
