import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BenchAnswer, BenchTest } from './bench.ts'
import { locateFault } from './locate-fault.ts'
import { isTestPath } from './suite.ts'

function ran(
  name: string,
  isPassing: boolean,
  lines: Record<string, number[]>,
  error: string | null = null,
): BenchTest {
  return { file: 'a.test.js', name, isPassing, ms: 1, error, lines }
}

function answer(tests: BenchTest[], loaded: Record<string, number[]> = {}): BenchAnswer {
  return { tests, imported: { 'a.test.js': loaded }, timedOut: false }
}

function lineOrder(answers: BenchAnswer[], ignored: string[] = []): number[] {
  const [file] = locateFault(answers, new Set(ignored))
  return Object.entries(file?.lines ?? {})
    .sort(([, a], [, b]) => b - a)
    .map(([line]) => Number(line))
}

test('suspects most the lines that only failing tests run', () => {
  const tests = [ran('good', true, { 'a.js': [1, 2, 3] }), ran('bad', false, { 'a.js': [1, 2, 5] })]
  const [file] = locateFault([answer(tests)], new Set())
  assert.equal(file?.file, 'a.js')
  assert.deepEqual(Object.keys(file?.lines ?? {}), ['1', '2', '5'])
  assert.equal(lineOrder([answer(tests)])[0], 5)
  assert.deepEqual(
    file?.tests.map((one) => one.name),
    ['good', 'bad'],
  )
})

test('a file whose tests fail for a reason of their own takes nothing from the lines of another', () => {
  const elsewhere = ['one', 'two', 'three'].map((name) => ({
    ...ran(name, false, { 'zone.js': [9] }),
    file: 'zone.test.js',
  }))
  const own = [ran('bad', false, { 'a.js': [5] }), ran('good', true, { 'a.js': [1] })]
  const found = locateFault([answer([...elsewhere, ...own])], new Set())
  assert.deepEqual(
    found.map(({ file, lines }) => [file, Object.keys(lines)]),
    [
      ['a.js', ['5']],
      ['zone.js', ['9']],
    ],
  )
  assert.equal(found[0]!.lines[5], found[1]!.lines[9])
})

test('counts lines that run while a file is loaded as run by each of its tests', () => {
  const tests = [ran('bad', false, { 'a.js': [5] }), ran('good', true, {})]
  assert.deepEqual(lineOrder([answer(tests, { 'a.js': [1] })]), [5, 1])
})

test('raises what is near the deepest frame of the project in a trace', () => {
  const python =
    'File "/workspace/test_a.py", line 3, in test\nFile "/workspace/a.py", line 9, in f\nFile "/usr/lib/x.py", line 1'
  const tests = [ran('bad', false, { 'a.py': [2, 9], 'test_a.py': [3] }, python)]
  assert.deepEqual(lineOrder([answer(tests)]), [9, 2])
  const node = 'TypeError: no\n    at f (file:///workspace/b.js:4:7)\n    at file:///workspace/a.test.js:1:1'
  assert.deepEqual(lineOrder([answer([ran('bad', false, { 'b.js': [1, 4] }, node)])]), [4, 1])
})

test("never suspects tests or other people's code", () => {
  const lines = {
    'a.test.js': [1],
    'test/make.js': [1],
    'node_modules/x/i.js': [1],
    'vendor/v.js': [1],
    'conftest.py': [1],
  }
  assert.deepEqual(locateFault([answer([ran('bad', false, lines)])], new Set()), [])
})

test('leaves flaky tests out', () => {
  const tests = [ran('bad', false, { 'a.js': [1] }), ran('flaky', false, { 'a.js': [7] })]
  assert.deepEqual(lineOrder([answer(tests)], ['a.test.js > flaky']), [1])
})

test('folders of tests are told from others by their names', () => {
  const paths = ['tests/a.py', 'unit_tests/a.py', 'end-to-end-tests/a.ts', 'java_testcases/a.py', 'latest/a.py', 'a.py']
  assert.deepEqual(paths.map(isTestPath), [true, true, true, true, false, false])
})
