import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Grammar, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { dropBrackets } from './drop-brackets.ts'
import { dialectOf } from './make-candidates.ts'

const examples: [grammar: Grammar, brought: string, left: string][] = [
  ['python', '(f(a)) ** 2', 'f(a) ** 2'],
  ['python', '(a[1:]) + (a[:1])', 'a[1:] + a[:1]'],
  ['python', 'f((a or b))', 'f(a or b)'],
  ['python', '(a + b) + c', 'a + b + c'],
  ['python', 'a - (b - c)', 'a - (b - c)'],
  ['python', '(a % b) * c', '(a % b) * c'],
  ['python', '(a * b) + c', 'a * b + c'],
  ['python', '(a & 1) == 0', '(a & 1) == 0'],
  ['python', '(a * 2) > b', 'a * 2 > b'],
  ['python', 'not (a == b)', 'not (a == b)'],
  ['python', '(-a) ** 2', '(-a) ** 2'],
  ['python', '(a and b) or c', '(a and b) or c'],
  ['python', '((a))', 'a'],
  ['javascript', '(a > 1) && (b)', 'a > 1 && b'],
  ['javascript', '(a ?? b) || c', '(a ?? b) || c'],
  ['javascript', 'f((a ?? b))', 'f(a ?? b)'],
  ['javascript', '(a?.b).c', '(a?.b).c'],
  ['javascript', '(a || b).c', '(a || b).c'],
  ['javascript', 'a.map((b) => ({ b }))', 'a.map((b) => ({ b }))'],
  ['javascript', '(1).c', '(1).c'],
  ['typescript', '(a as B) + 1', '(a as B) + 1'],
  ['go', '(len(a)) > (b)', 'len(a) > b'],
]

/** A program around a value that an edit put in the place of `x`. */
const around: Record<string, [before: string, after: string]> = {
  python: ['c = ', '\n'],
  javascript: ['const d = ', '\n'],
  typescript: ['const d = ', '\n'],
  go: ['package a\n\nfunc f(a []int, b int) bool {\n\treturn ', '\n}\n'],
}

describe('brackets that an edit brings', () => {
  for (const [grammar, brought, left] of examples) {
    const verb = brought === left ? 'stay' : 'go'
    test(`${verb} in ${grammar}: ${brought}`, async () => {
      const [before, after] = around[grammar]!
      const edit = { start: before.length, end: before.length + 1, text: brought }
      const parser = await openParser(grammar)
      assert.equal(dropBrackets(parser, dialectOf(grammar), `${before}x${after}`, edit), left)
    })
  }

  test('stay where they stood before', async () => {
    const source = 'd = (a) + b\n'
    const edit = { start: 4, end: source.length - 1, text: '(a) + c' }
    assert.equal(dropBrackets(await openParser('python'), dialectOf('python'), source, edit), '(a) + c')
  })
})
