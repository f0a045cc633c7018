import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdit } from './apply-edit.ts'

function edit(before: string, oldText: string, newText: string) {
  return applyEdit(before, { oldText, newText, replaceAll: false })
}

test('spaces at line ends do not matter', () => {
  const applied = edit('one  \ntwo\t\nthree\n', 'one\ntwo\n', 'ONE\nTWO\n')
  assert.partialDeepStrictEqual(applied, { after: 'ONE\nTWO\nthree\n', count: 1, isAdjusted: true })
})

test('curly quotes do not matter', () => {
  assert.equal(edit('say(“hi”)\n', 'say("hi")\n', 'say("ho")\n')?.after, 'say("ho")\n')
})

test('line ends stay those of the file', () => {
  assert.equal(edit('one\r\ntwo\r\nthree\r\n', 'one\ntwo', 'ONE\nTWO')?.after, 'ONE\r\nTWO\r\nthree\r\n')
  assert.equal(edit('one\r\ntwo\r\n', 'one', 'ONE\nAND')?.after, 'ONE\r\nAND\r\ntwo\r\n')
})

test('one shift of the indentation is made up for, in both directions', () => {
  const file = 'class A {\n    if (a) {\n      b()\n    }\n}\n'
  const deeper = edit(file, 'if (a) {\n  b()\n}\n', 'if (a) {\n  c()\n\n  d()\n}\n')
  assert.equal(deeper?.after, 'class A {\n    if (a) {\n      c()\n\n      d()\n    }\n}\n')
  assert.equal(edit('a()\n  b()\n', '    a()\n      b()\n', '    x()\n      y()\n')?.after, 'x()\n  y()\n')
  assert.equal(edit('  a()\n    b()\n', 'a()\nb()\n', 'x\n'), null)
})

test('a place that is not the only one is left alone', () => {
  assert.equal(edit('a \nb\na \nb\n', 'a\nb\n', 'c\n'), null)
  assert.equal(edit('a\na\n', 'a', 'b'), null)
  assert.equal(edit('x\n', '\n\n', 'b'), null)
})

test('lines can be taken out', () => {
  assert.equal(edit('a\nb \nc\n', 'b\n', '')?.after, 'a\nc\n')
})
