import { describe, test } from 'node:test'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { hostFaults, type HostFaultName } from '#test/faulty-host.ts'
import { loopUnderFaults, type LoopUnderFaults } from './loop-under-faults.ts'

const faults = Object.keys(hostFaults) as HostFaultName[]
const writes = /^(POST|PATCH) .*(git-receive-pack|pulls|comments|check-runs)(\/\{n\})?$/

// Most of the time each of them waits.
describe('nothing is missing or double in the end', { concurrency: 3 }, () => {
  const check = (name: string, options: Omit<LoopUnderFaults, 'defer' | 'patienceMs'>) =>
    test(name, { timeout: 15 * 60_000 }, async (t) => {
      const defer = (cleanUp: () => Promise<void>) => t.after(cleanUp)
      const failed = await loopUnderFaults({ ...options, patienceMs: 400_000, defer })
      t.diagnostic(`${failed.length} kinds of calls failed`)
    })

  // Half a minute for each.
  check('where a host says nothing for half a minute at whatever is written there', { fault: 'silence', on: writes })
  check('where a host fails three times at whatever is written there', { fault: 'badGateway', times: 3, on: writes })
  for (const fault of casesOfCommit(
    faults.filter((name) => name !== 'silence'),
    4,
  ))
    check(`where each kind of call fails at first: ${fault}`, { fault })
})
