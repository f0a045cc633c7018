import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Span } from '@runwright/sdk'
import { shapeRibbon } from './ribbon-shapes.ts'

const at = (second: number) => new Date(second * 1_000).toISOString()
const span = (kind: Span['kind'], from: number, to: number | null): Span => ({
  kind,
  from: at(from),
  to: to === null ? null : at(to),
})

test('time is to scale, and what lasts goes on until now', () => {
  const { pieces, totalMs } = shapeRibbon([span('queue', 0, 10), span('tool', 10, null)], { now: 40_000 })
  assert.equal(totalMs, 40_000)
  assert.deepEqual(pieces, [
    { kind: 'queue', from: 0, to: 250 },
    { kind: 'tool', from: 250, to: 1_000 },
  ])
})

test('time between turns is cut out, and its moments stand where it was cut', () => {
  const { totalMs, placeOf, timeAt } = shapeRibbon([span('tool', 0, 10), span('tool', 1_000, 1_010)], {
    now: 2_000_000,
  })
  assert.equal(totalMs, 20_000)
  assert.equal(placeOf(500_000), 500)
  assert.equal(placeOf(1_005_000), 750)
  assert.equal(timeAt(750), 1_005_000)
})

test('however many pieces there are, no more than 300 are drawn', () => {
  const spans = Array.from({ length: 5_000 }, (_, n) => span(n % 2 ? 'tool' : 'model', n, n + 1))
  const { pieces } = shapeRibbon(spans, { now: 5_000_000 })
  assert.ok(pieces.length > 0 && pieces.length <= 300, `${pieces.length} pieces`)
})
