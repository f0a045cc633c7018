import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCalls } from './find-calls.ts'

async function argumentsOf(grammar: 'python' | 'javascript', source: string): Promise<string[]> {
  return (await findCalls(grammar, source, new Set(['f']))).map(({ argv }) => argv)
}

test('calls of tests are made anew with other values', async () => {
  const calls = await findCalls('python', 'assert area(3, [1, 2]) == f(x)\narea(y)\n', new Set(['area', 'f']))
  assert.deepEqual(calls[0], { name: 'area', argv: '3, [1, 2]' })
  const others = calls.map(({ argv }) => argv)
  for (const argv of ['4, [1, 2]', '0, [1, 2]', '3, []', '3, [2]', '3, [2, 1]']) assert.ok(others.includes(argv), argv)
  assert.ok(!others.some((argv) => /[xy]/.test(argv)))
})

test('calls near those of a test change two values at once', async () => {
  const calls = await argumentsOf('python', 'assert f(3, [1, 2]) == g(4)')
  assert.ok(calls.some((one) => !one.startsWith('3,') && !one.endsWith('[1, 2]')))
})

test('calls near those of a test change alike what is the same, as ids are', async () => {
  const calls = await argumentsOf('javascript', 'f([{ id: 1 }, { id: 2, parent: 1 }])')
  assert.ok(calls.includes('[{ id: 2 }, { id: 2, parent: 2 }]'))
})

test('calls near those of a test take parts of objects away, and add those of the object beside', async () => {
  const calls = await argumentsOf('javascript', 'f([{ id: 1 }, { id: 2, parent: 1 }])')
  for (const one of ['[{ id: 1, parent: 1 }, { id: 2, parent: 1 }]', '[{ id: 1 }, { parent: 1 }]'])
    assert.ok(calls.includes(one), one)
  assert.ok((await argumentsOf('python', "f({'a': 1})")).includes("{ 'a': 1, 'extra': 7 }"))
})

test('calls near those of a test leave out words of a text', async () => {
  assert.ok((await argumentsOf('javascript', "f('NOT a OR b')")).includes("'NOT a b'"))
})
