import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainMiss } from './explain-miss.ts'

const before = 'import x from "x"\n\nfunction fooBar(a, b) {\n  return a + b\n}\n'
const explain = (oldText: string, newText = 'something new') => explainMiss({ path: 'a.js', before, oldText, newText })

test('a text that occurs several times is told with its lines', () => {
  assert.match(explain('a'), /occurs \d+ times in a\.js, at lines 3, /)
})

test('an edit that was made before is told', () => {
  assert.match(explain('return a - b', 'return a + b'), /new_text is: already done at line 4/)
})

test('nearly the same lines are shown, and where they begin to differ', () => {
  assert.equal(
    explain('function fooBar(a, b) {\n  return a * b\n}\n'),
    'old_text is not in a.js. The nearest lines are:\n' +
      '    3\tfunction fooBar(a, b) {\n' +
      '    4\t  return a + b   <- differs first here; you gave:\n' +
      '    >\t  return a * b\n' +
      '    5\t}\n' +
      'Copy them exactly, without the numbers.',
  )
})

test('else the nearest name is told', () => {
  assert.match(explain('await callTheOther(fooBat, 1, 2, 3)'), /the nearest name is `\w+` at line \d/)
  assert.match(
    explain('fooBaz // and then much that is nowhere near any of the lines'),
    /Read the file and copy the text exactly/,
  )
})

test('a huge file is explained in no time', () => {
  const huge = 'const value = compute(1, 2, 3)\n'.repeat(50_000)
  const startedAt = performance.now()
  explainMiss({ path: 'a.js', before: huge, oldText: 'nothing\nlike\nit\n', newText: 'x' })
  assert.ok(performance.now() - startedAt < 10_000)
})
