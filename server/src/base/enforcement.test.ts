import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLack, type EnforcementReport } from './enforcement.ts'

const report: EnforcementReport = {
  memory: 'polled',
  cpu: 'none',
  processes: 'kernel',
  disk: 'per-process',
  network: 'kernel',
  kill: 'kernel',
}

test('what is held as well as required, or better, lacks nothing', () => {
  assert.equal(describeLack({}, report), null)
  assert.equal(describeLack(report, report), null)
  assert.equal(describeLack({ memory: 'none', disk: 'polled', processes: 'per-process' }, report), null)
})

test('what is held less well is named, with both', () => {
  assert.equal(
    describeLack({ memory: 'per-process', disk: 'kernel', network: 'kernel' }, report),
    'memory by "per-process", and here it is "polled"; disk by "kernel", and here it is "per-process"',
  )
})
