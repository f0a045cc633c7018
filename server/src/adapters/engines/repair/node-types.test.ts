import assert from 'node:assert/strict'
import { test } from 'node:test'

// Runs inside sandboxes, where nothing is compiled; it has no types of its own.
const program: string = './inside/node-types.mjs'
const { withoutTypes } = (await import(program)) as {
  withoutTypes: (source: string) => { source: string; lineOf: (line: number) => number }
}

test('imports that only types use go, and nothing moves', () => {
  const source = `import { Query, stringify } from './query'
import Whole, { type Inline, Part } from './whole'
import {
  Only,
} from 'types-alone'
import 'side-effect'
import * as all from './all'
export const f = (query: Query, part: Part, only: Only, whole: Whole) => stringify(query, all)
`
  const { source: left, lineOf } = withoutTypes(source)
  assert.equal(left.length, source.length)
  assert.deepEqual(
    left.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()),
    [
      "import { stringify } from './query'",
      '',
      '',
      '',
      '',
      "import 'side-effect'",
      "import * as all from './all'",
      'export const f = (query , part , only , whole ) => stringify(query, all)',
      '',
    ],
  )
  assert.equal(lineOf(8), 8)
})

test('what is no type alone is written anew, and lines are still those of the file', () => {
  const source = `enum Color {
  Red,
}

export class Box {
  constructor(private readonly color: Color) {}

  isRed(): boolean {
    return this.color === Color.Red
  }
}
`
  const { source: left, lineOf } = withoutTypes(source)
  const at = left.split('\n').findIndex((line) => line.includes('=== 0') || line.includes('Color.Red')) + 1
  assert.ok(at > 0, left)
  assert.equal(lineOf(left.split('\n').findIndex((line) => line.includes('return this.color')) + 1), 9)
})
