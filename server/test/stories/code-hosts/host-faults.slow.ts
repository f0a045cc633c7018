import { after, test } from 'node:test'
import { hostFaults, type HostFaultName } from '#test/faulty-host.ts'
import { loopUnderFaults } from './loop-under-faults.ts'

const longestMs = 15 * 60_000
const patienceMs = 400_000
const faults = Object.keys(hostFaults) as HostFaultName[]
const writes = /^(POST|PATCH) .*(git-receive-pack|pulls|comments|check-runs)(\/\{n\})?$/

for (const fault of faults.filter((name) => name !== 'silence')) {
  test(
    `each kind of call fails at first, and nothing is missing or double in the end: ${fault}`,
    { timeout: longestMs },
    async (t) => {
      const failed = await loopUnderFaults({ fault, patienceMs, defer: after })
      t.diagnostic(`${failed.length} kinds of calls failed`)
    },
  )
}

test(
  'a host that fails three times at whatever is written there gets it once in the end',
  { timeout: longestMs },
  async (t) => {
    const failed = await loopUnderFaults({ fault: 'badGateway', times: 3, on: writes, patienceMs, defer: after })
    t.diagnostic(failed.join(', '))
  },
)

// Half a minute for each.
test(
  'a host that says nothing for half a minute at whatever is written there gets it once in the end',
  { timeout: longestMs },
  async (t) => {
    const failed = await loopUnderFaults({ fault: 'silence', on: writes, patienceMs, defer: after })
    t.diagnostic(failed.join(', '))
  },
)
