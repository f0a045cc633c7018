import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loopUnderFaults } from './loop-under-faults.ts'

// Most of the time each of them waits.
describe('where each kind of call to a code host fails at first', { concurrency: true }, () => {
  for (const fault of ['badGateway', 'lostAnswer'] as const) {
    test(`a run ends with its pull request, answer and check, once each: ${fault}`, { timeout: 300_000 }, async (t) => {
      const failed = await loopUnderFaults({ fault, defer: (cleanUp) => t.after(cleanUp) })
      assert.ok(failed.length >= 20, failed.join('\n'))
    })
  }
})
