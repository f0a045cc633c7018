import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapTexts } from './map-texts.ts'

const value = { a: ['b', 1, null, { c: 'd' }], e: true }
const text = (part: string) => part.toUpperCase()

test('each text is changed, however deep, and nothing else', () => {
  assert.deepEqual(mapTexts(value, { text }), { a: ['B', 1, null, { c: 'D' }], e: true })
  assert.equal(mapTexts('a', { text }), 'A')
  for (const same of [1, null, false, [], {}]) assert.deepEqual(mapTexts(same, { text }), same)
})

test('so are names where that is asked for', () => {
  assert.deepEqual(mapTexts(value, { text, name: (name) => `${name}!` }), {
    'a!': ['B', 1, null, { 'c!': 'D' }],
    'e!': true,
  })
})
