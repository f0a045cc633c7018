import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugOf } from '../src/slug.js'

test('a title becomes lower case words with a hyphen between them', () => {
  assert.equal(slugOf('Hello World'), 'hello-world')
  assert.equal(slugOf('  One,  two & three! '), 'one-two-three')
})

test('letters lose their accents', () => {
  assert.equal(slugOf('Crème Brûlée'), 'creme-brulee')
})

test('it has 40 characters at most, and does not end with a hyphen', () => {
  assert.equal(slugOf('a'.repeat(50)), 'a'.repeat(40))
  assert.equal(slugOf(`${'a'.repeat(39)} b`), 'a'.repeat(39))
})

test('it is never empty', () => {
  assert.equal(slugOf('!?'), 'untitled')
})
