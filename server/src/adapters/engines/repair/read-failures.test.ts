import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesIn, messageOf } from './read-failures.ts'

const errors: [runner: string, error: string][] = [
  [
    'pytest',
    "E       AssertionError: assert 'Hello Ada' == 'Hello, Ada'\nE         - Hello, Ada\nE         ?      -\nE         + Hello Ada",
  ],
  ['unittest', "AssertionError: 'Hello Ada' != 'Hello, Ada'\n- Hello Ada\n+ Hello, Ada\n?      +\n"],
  ['node', "Expected values to be strictly equal:\n+ actual - expected\n\n+ 'Hello Ada'\n- 'Hello, Ada'\n"],
  ['jest', 'expect(received).toBe(expected)\n\nExpected: "Hello, Ada"\nReceived: "Hello Ada"\n'],
  ['chai', "AssertionError: expected 'Hello Ada' to equal 'Hello, Ada'"],
]

for (const [runner, error] of errors) {
  test(`what differs between two texts is read from errors of ${runner}`, () => {
    const found = differencesIn(error)
    assert.deepEqual(
      found.find(({ to }) => to === ','),
      { before: 'Hello', from: '', to: ',', after: ' Ada' },
    )
    assert.ok(
      found.every(({ from, to }) => from + to === ','),
      JSON.stringify(found),
    )
  })
}

test('texts that have little in common, or all, are no pair', () => {
  assert.deepEqual(differencesIn("expected 'apples' to equal 'pears'"), [])
  assert.deepEqual(differencesIn("'same' and 'same'"), [])
})

test('the message of an error is without its stack and the source that it shows', () => {
  const shown = "    def test_a():\n>       f(context=1)\nE       TypeError: no 'tuple'\n\na.py:3: TypeError"
  assert.equal(messageOf(shown), "E       TypeError: no 'tuple'")
  assert.equal(
    messageOf('TypeError: o.toJSON is not a function\n    at f (a.js:1:2)'),
    'TypeError: o.toJSON is not a function',
  )
})
