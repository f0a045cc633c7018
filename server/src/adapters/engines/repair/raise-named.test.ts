import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raiseNamedAfter, tellingNames } from './raise-named.ts'

const source = `class Command {
  constructor() {
    this._allowExcess = true;
    this._strict = false;
  }
  parseOptions(text) {
    return text.split(' ');
  }
}
exports.renderRow = function (row) {
  return row;
};
`
const lines = { 3: 0.5, 4: 0.5, 7: 0.5, 11: 0.5 }
const named = (name: string) => ({ file: 'test/command.test.js', name })

/** Lines that are more suspicious than they were. */
function raised(failing: string[], passing: string[] = []): Record<string, number> {
  const file = { file: 'command.js', lines, passing: {}, tests: [] }
  const after = raiseNamedAfter(file, source, tellingNames(failing.map(named), passing.map(named))).lines
  return Object.fromEntries(Object.entries(after).filter(([, suspicion]) => suspicion > 0.5))
}

test('a line that names what the failing tests are named after is more suspicious', () => {
  assert.deepEqual(raised(['allow excess arguments']), { 3: 1 })
  assert.deepEqual(raised(['copies allowExcess()']), { 3: 1 })
  assert.deepEqual(raised(['copies allowExcess()', 'strict is off']), { 3: 0.75, 4: 0.75 })
})

test('so are the lines of a function of that name, however it is written', () => {
  assert.deepEqual(raised(['test_parse_options']), { 7: 1 })
  assert.deepEqual(raised(['TestRENDERRow.test_nothing']), { 11: 1 })
})

test('what the passing tests are named after as well says nothing', () => {
  assert.deepEqual(raised(['allow excess, strictly'], ['allow excess']), {})
  assert.deepEqual(raised(['allow excess'], ['allow excess', 'something else']), { 3: 0.75 })
})
