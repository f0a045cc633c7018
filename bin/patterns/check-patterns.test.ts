import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFound } from './check-patterns.ts'
import { findIn } from './find-patterns.ts'
import { provePattern } from './prove-pattern.ts'

const check = (code: string, listed = '') => checkFound(findIn('server/src/a.ts', code), listed, provePattern)

test('a pattern that looks at the same row again and again fails the check, by its place', () => {
  const { list, faults } = check('const a = 1\nconst ends = text.replace(/\\r+\\n/g, "")')
  assert.match(faults.join('\n'), /^server\/src\/a\.ts:2: \/\\r\+\\n\/g takes polynomial \(degree 2\) time, as for /)
  assert.doesNotMatch(list, /\\r/)
})

test('one that takes time with the text is listed, and not proven again', () => {
  const code = 'const name = /^[a-z]+:/'
  const { list, faults } = check(code)
  assert.deepEqual(faults, [])
  assert.match(list, /^\/\^\[a-z\]\+:\/$/m)
  const again = checkFound(findIn('server/src/a.ts', code), list, () => assert.fail('it is listed'))
  assert.equal(again.list, list)
})

test('one that is no longer there is no longer listed', () => {
  assert.doesNotMatch(check('const a = 1', '/^old+$/\n').list, /old/)
})

test('one that matches little and looks at all the rest each time fails the check', () => {
  assert.match(check('const a = text.matchAll(/a(?:.*b)?/g)').faults.join(), /looks far beyond what it matches/)
})

test('what cannot be proven counts as slow', () => {
  assert.match(check('const a = /\\s+(?=x)/').faults.join(), /could not be proven linear: unsupported look-ahead/)
})

test('a pattern that is made when the program runs fails the check', () => {
  for (const code of [
    'new RegExp(name)',
    'RegExp(`^${name}$`)',
    "new RegExp('a', flags)",
    "text.match('a+')",
    'const make = () => new RegExp(parts.join("|"))',
  ])
    assert.match(check(code).faults.join(), /^server\/src\/a\.ts:1: .* known only when it runs/, code)
})

test('a pattern that is put together of constants is proven like any other', () => {
  const { list, faults } = check(
    "const word = String.raw`\\w+`\nconst names = ['a', `b${word}`]\nconst all = new RegExp(`^(?:${names.join('|')})` + '$', 'i')",
  )
  assert.deepEqual(faults, [])
  assert.match(list, /^\/\^\(\?:a\|b\\w\+\)\$\/i$/m)
})

test('patterns of schemas are proven, as their validator compiles them', () => {
  assert.match(check("Type.String({ pattern: '^(a+)+$' })").faults.join(), /\/\^\(a\+\)\+\$\/u takes exponential time/)
})
