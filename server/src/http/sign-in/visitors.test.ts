import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { Visitors } from './visitors.ts'

const max = limits.signInRequestsMax

test('each address may ask so often within the time, and then again', () => {
  let ms = 1_000_000
  const visitors = new Visitors({ now: () => new Date(ms) })
  const admitted = (address: string, times: number) =>
    Array.from({ length: times }, () => visitors.admit(address)).filter(Boolean).length
  assert.equal(admitted('::1', max + 5), max)
  assert.equal(admitted('192.0.2.1', 3), 3)
  ms += limits.signInRequestsMs
  assert.equal(admitted('::1', 1), 1)
})

test('more addresses than are told apart count as one', () => {
  const visitors = new Visitors({ now: () => new Date(1_000_000) })
  for (let n = 0; n < limits.visitorsCountedMax; n++) assert.ok(visitors.admit(`known ${n}`))
  let admitted = 0
  for (let n = 0; n < max + 5; n++) if (visitors.admit(`unknown ${n}`)) admitted++
  assert.equal(admitted, max)
  assert.ok(visitors.admit('known 0'))
})
