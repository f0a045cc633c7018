import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnsi } from './ansi.ts'

test('what a program coloured is told apart, and nothing else of it is left', () => {
  const text = 'a \u001B[1;31mred\u001B[0m b \u001B[2mdim\u001B[22m \u001B[38;5;2mgreen\u001B[39m\u001B[2K\u001B[1A c'
  assert.deepEqual(readAnsi(text), [
    { text: 'a ', className: '' },
    { text: 'red', className: 'a-red a-bold' },
    { text: ' b ', className: '' },
    { text: 'dim', className: 'a-dim' },
    { text: ' ', className: '' },
    { text: 'green', className: 'a-green' },
    { text: ' c', className: '' },
  ])
})

test('links and titles of a terminal are left out, and so is the half of a sequence at the end', () => {
  const pieces = readAnsi('\u001B]8;;javascript:x\u0007press\u001B]8;;\u0007 \u001B]0;title\u001B\\end\u001B[3')
  assert.equal(pieces.map(({ text }) => text).join(''), 'press end')
})
