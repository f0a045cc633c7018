import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWeights } from './read-weights.ts'

test('each value is read with its weight, which is 1 where none is given', () => {
  assert.deepEqual(readWeights('text/html;level=1;q=0.5, */* ; Q=0.0 ,application/JSON'), [
    { value: 'text/html', weight: 0.5 },
    { value: '*/*', weight: 0 },
    { value: 'application/json', weight: 1 },
  ])
})

test('a weight that cannot be read is none', () => {
  for (const header of ['a;q=', 'a;q=high']) assert.ok(Number.isNaN(readWeights(header)[0]?.weight), header)
  assert.deepEqual(readWeights(''), [{ value: '', weight: 1 }])
})
