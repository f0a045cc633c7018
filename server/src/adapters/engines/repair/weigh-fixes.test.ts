import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Kind } from './candidates/kinds.ts'
import type { Fix } from './fix.ts'
import { literalsIn } from './collect-literals.ts'
import { type Queued, pairsOf } from './parts.ts'
import { weigh } from './weigh-fixes.ts'

function fix(text: string, kind: Kind = 'comparison', score = 0.8): Fix {
  const place = { file: 'a.py', line: 1, start: 0, end: 1, removed: 'x', before: 'x', after: text, where: 'f' }
  return { ...place, kind, text, hash: 'a', hashAfter: text, leaves: [], prior: score, score }
}

const enough = () => ({ failing: 2, passing: 3 })

describe('the confidence in a change', () => {
  test('is high where all that pass do the same, and tests look closely', () => {
    const weighed = weigh([fix('a'), fix('b')], [['1'], ['1']], ['0'], enough)
    assert.deepEqual([weighed.confidence, weighed.rivals], ['high', 0])
  })

  test('is told of what is written the plainest, of what is the same', () => {
    const ways = [fix('a + (b + c)'), fix('(a + b) + c'), fix('a + b + c'), { ...fix('a'), line: 2 }]
    const weighed = weigh(ways, [['1'], ['1'], ['1'], ['1']], ['0'], enough)
    assert.deepEqual([weighed.fixes[0]!.text, weighed.fixes.length], ['a + b + c', 4])
  })

  test('is gone where two that are as likely do different things', () => {
    const weighed = weigh([fix('a'), fix('b')], [['1'], ['2']], ['0'], enough)
    assert.deepEqual([weighed.confidence, weighed.rivals], ['unsure', 1])
  })

  test('is not there for what only takes something out of the way, which comes last', () => {
    const [constant, other] = [fix('a', 'condition_constant', 0.9), fix('b', 'guard', 0.25)]
    assert.equal(weigh([constant], [['1']], ['1'], enough).confidence, 'unsure')
    assert.equal(weigh([constant, other], [['1'], ['2']], ['1'], enough).fixes[0], other)
  })

  test('is less where nothing could be called', () => {
    assert.equal(weigh([fix('a')], [null], null, enough).confidence, 'medium')
    const next = (score: number) =>
      weigh([fix('a'), fix('b', 'constant', score)], [null, null], null, enough).confidence
    assert.deepEqual([next(0.6), next(0.7)], ['medium', 'unsure'])
    const uncalled = weigh([fix('a'), fix('b')], [[null], [null]], [null], enough)
    assert.deepEqual([uncalled.rivals, uncalled.confidence], [1, 'unsure'])
  })

  test('is gone for an inverted condition that no passing test comes to', () => {
    const unseen = () => ({ failing: 3, passing: 0 })
    const flip = { ...fix('!=', 'comparison', 0.95), removed: '==' }
    assert.equal(weigh([flip], [['1']], ['0'], enough).confidence, 'high')
    assert.equal(weigh([flip], [['1']], ['0'], unseen).confidence, 'unsure')
    assert.equal(weigh([{ ...flip, removed: '<' }], [['1']], ['0'], unseen).confidence, 'medium')
  })

  test('does not set an inverted condition behind others where nothing could be called', () => {
    const at = (text: string, score: number) => ({ ...fix(text, 'comparison', score), removed: '===' })
    const weighed = weigh([at('!==', 0.9), at('>', 0.8)], [null, null], null, () => ({ failing: 2, passing: 0 }))
    assert.equal(weighed.fixes[0]!.text, '!==')
  })

  test('is gone for what leaves a test failing that runs the same file', () => {
    const partial = { ...fix('a'), leaves: ['test_a.py > second'] }
    assert.equal(weigh([partial], [['1']], ['0'], enough).confidence, 'medium')
    assert.equal(weigh([partial], [['1']], ['0'], () => ({ ...enough(), isPartial: true })).confidence, 'unsure')
  })

  test('takes what the likeliest does, or what many do that are nearly as likely', () => {
    const first = (score: number) => {
      const fixes = [fix('a', 'comparison', 0.5), fix('b', 'comparison', score), fix('c', 'comparison', score)]
      return weigh(fixes, [['1'], ['2'], ['2']], null, enough).fixes[0]!.text
    }
    assert.deepEqual([first(0.45), first(0.4)], ['b', 'a'])
  })

  test('leaves out of account what a call that throws does', () => {
    assert.equal(
      weigh(
        [fix('a'), fix('b')],
        [
          ['1', null],
          ['1', '2'],
        ],
        null,
        enough,
      ).rivals,
      0,
    )
  })
})

test('numbers, texts and marks are taken from what failing tests say', () => {
  const long = `'https://example.org/${'a'.repeat(60)}%20b'`
  const { numbers, texts, marks } = literalsIn(`assert.equal(tax(120), 24.5) // 'net' "gross" a.js:31:7 ${long}`)
  assert.deepEqual(numbers, ['120', '24.5'])
  assert.deepEqual(texts, ["'net'", '"gross"'])
  assert.deepEqual(marks, [':', '/', '.', '%'])
})

test('pairs fix together what each fixes in part, and do not overlap', () => {
  const part = (start: number, fixes: string[], at: number) => {
    const candidate: Queued = {
      file: 'a.py',
      kind: 'comparison',
      start,
      end: start + 2,
      text: '',
      line: 1,
      prior: 1,
      score: 1,
      order: 1,
    }
    return { candidate, fixes: new Set(fixes), at, reached: {} }
  }
  const parts = [part(10, ['one'], 0), part(11, ['two'], 1), part(0, ['two'], 2), part(20, ['one'], 3)]
  const pairs = pairsOf(parts, ['one', 'two']).map((pair) => pair.map(({ start }) => start))
  assert.deepEqual(pairs, [
    [0, 10],
    [11, 20],
    [0, 20],
  ])
})
