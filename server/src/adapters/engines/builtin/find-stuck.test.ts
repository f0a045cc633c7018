import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deed } from './conversation.ts'
import { findStuck } from './find-stuck.ts'

const shell = (command: string, result: string, more: Partial<Deed> = {}): Deed => ({
  tool: 'shell',
  call: `shell ${command}`,
  result,
  isError: false,
  timedOut: false,
  editedPaths: [],
  ...more,
})
let edits = 0
const edit = (path: string): Deed => ({
  ...shell('', `edited ${path}`),
  tool: 'edit',
  call: `edit ${++edits}`,
  editedPaths: [path],
})
const failing = shell('npm test', '1 failed [exit 1, 0.3 s]', { isError: true })

test('the same call with the same result is a circle at the fourth time, with an error at the third', () => {
  const same = shell('ls', 'a\n[exit 0, 0.1 s]')
  assert.equal(findStuck([same, same, same]), null)
  assert.match(findStuck([same, same, same, same]) ?? '', /same result 4 times/)
  assert.match(findStuck([failing, failing, failing]) ?? '', /failed 3 times/)
})

test('times, durations and addresses do not make a result another one', () => {
  const results = [1, 2, 3, 4].map((n) => shell('date', `12:0${n}:00 at 0x${n}f took ${n}.5 s [exit 0, ${n}.2 s]`))
  assert.match(findStuck(results) ?? '', /same result/)
  const different = [1, 2, 3, 4].map((n) => shell('wc', `${n} lines`))
  assert.equal(findStuck(different), null)
})

test('two calls that take turns are a circle', () => {
  const [a, b] = [shell('a', '1'), shell('b', '2')]
  assert.equal(findStuck([a, b, a, b, a]), null)
  assert.match(findStuck([a, b, a, b, a, b]) ?? '', /take turns/)
})

test('five edits of a file that change nothing about a failure are a circle', () => {
  const five = [1, 2, 3, 4, 5].map(() => edit('a.js'))
  assert.equal(findStuck([failing, ...five.slice(1), failing]), null)
  assert.match(findStuck([failing, ...five, failing]) ?? '', /5 edits of a\.js/)
})

test('three commands in a row that run into their limit are a circle', () => {
  const slow = (n: number) => shell(`slow ${n}`, 'killed', { timedOut: true })
  assert.equal(findStuck([slow(1), slow(2), shell('quick', 'ok'), slow(3)]), null)
  assert.match(findStuck([slow(1), slow(2), slow(3)]) ?? '', /time limit/)
})

test('twelve calls that bring nothing new are a circle', () => {
  const known = ['a', 'b', 'c', 'd', 'e'].map((name) => shell(name, name))
  const order = [0, 1, 2, 3, 4, 2, 0, 3, 1, 4, 0, 2]
  const again = order.map((index) => known[index]!)
  assert.match(findStuck([...known, ...again]) ?? '', /nothing new/)
  assert.equal(findStuck([...known, ...again.slice(1), shell('f', 'f')]), null)
})

test('different calls that all fail in the same way bring nothing new, and different ones that pass do', () => {
  const grep = (isError: boolean) =>
    Array.from({ length: 13 }, (_, n) => shell(`grep ${n}`, '[exit 1, 0.01 s]', { isError }))
  assert.match(findStuck(grep(true)) ?? '', /12 calls in a row brought nothing new/)
  assert.equal(findStuck(grep(false)), null)
})
