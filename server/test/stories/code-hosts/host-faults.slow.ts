import { after, test } from 'node:test'
import { hostFaults, type HostFaultName } from '#test/faulty-host.ts'
import { loopUnderFaults } from './loop-under-faults.ts'

const longestMs = 15 * 60_000
const faults = Object.keys(hostFaults) as HostFaultName[]

for (const fault of faults.filter((name) => name !== 'silence')) {
  test(
    `each kind of call fails twice, and nothing is missing or double in the end: ${fault}`,
    { timeout: longestMs },
    async (t) => {
      const failed = await loopUnderFaults({ fault, times: 2, patienceMs: 400_000, defer: after })
      t.diagnostic(`${failed.length} kinds of calls failed`)
    },
  )
}

// Half a minute for each.
const writes = /^(POST|PATCH) .*(git-receive-pack|pulls|comments|check-runs)(\/\{n\})?$/

test(
  'a host that says nothing for half a minute, at whatever is written there, gets it once in the end',
  { timeout: longestMs },
  async (t) => {
    const failed = await loopUnderFaults({ fault: 'silence', on: writes, patienceMs: 400_000, defer: after })
    t.diagnostic(failed.join(', '))
  },
)
