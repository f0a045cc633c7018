import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptOutput } from './kept-output.ts'

function keep(bytesMax: number, ...chunks: string[]): { text: string; cutBytes: number } {
  const kept = new KeptOutput(bytesMax)
  for (const chunk of chunks) kept.append(Buffer.from(chunk))
  return { text: kept.take().toString(), cutBytes: kept.cutBytes }
}

test('keeps all of what fits', () => {
  assert.deepEqual(keep(10), { text: '', cutBytes: 0 })
  assert.deepEqual(keep(10, 'hello', '', 'world'), { text: 'helloworld', cutBytes: 0 })
})

test('keeps the first and the last half of what does not', () => {
  assert.deepEqual(keep(6, 'abcdefghij'), { text: 'abchij', cutBytes: 4 })
  assert.deepEqual(keep(5, 'abcdefghij'), { text: 'abcij', cutBytes: 5 })
  assert.deepEqual(keep(1, 'abc', 'd'), { text: 'a', cutBytes: 3 })
  assert.deepEqual(keep(0, 'abc'), { text: '', cutBytes: 3 })
})

test('keeps the same, however the output comes in pieces', () => {
  const text = Array.from({ length: 100 }, (_, index) => `${index},`).join('')
  for (const bytesMax of [2, 7, 50, 99, text.length - 1, text.length]) {
    const head = Math.ceil(bytesMax / 2)
    const expected = text.length <= bytesMax ? text : text.slice(0, head) + text.slice(text.length - (bytesMax - head))
    for (let size = 1; size <= text.length; size++) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      )
      assert.deepEqual(keep(bytesMax, ...chunks), { text: expected, cutBytes: text.length - expected.length })
    }
  }
})
