import assert from 'node:assert/strict'
import test from 'node:test'
import { daysBetween } from '../src/dates.js'
import { feeCents } from '../src/fees.js'

test('counts days over a month', () => assert.equal(daysBetween('2026-01-30', '2026-02-02'), 3))
test('nothing is due in time', () => assert.equal(feeCents({ due: '2026-01-22' }, '2026-01-22'), 0))
test('grows by the day', () => assert.equal(feeCents({ due: '2026-01-22' }, '2026-01-25'), 60))
test('has an upper bound', () => assert.equal(feeCents({ due: '2026-01-22' }, '2026-12-25'), 500))
