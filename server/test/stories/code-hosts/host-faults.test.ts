import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loopUnderFaults } from './loop-under-faults.ts'

for (const fault of ['badGateway', 'lostAnswer'] as const) {
  test(
    `a run ends with its pull request, answer and check, once each, though each kind of call fails at first: ${fault}`,
    { timeout: 300_000 },
    async () => {
      const failed = await loopUnderFaults({ fault, defer: after })
      assert.ok(failed.length >= 20, failed.join('\n'))
    },
  )
}
