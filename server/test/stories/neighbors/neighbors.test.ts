import { test } from 'node:test'
import { testDb } from '#test/test-db.ts'
import { known, others } from './attacks.ts'
import { openNeighborhood, requireUnharmed } from './neighborhood.ts'

const { service, live, control } = await openNeighborhood({ db: await testDb() })
const short = [
  'carriage returns without end',
  'nested lists, packed, for a model',
  'thousands of descriptors in hundreds of processes',
  'comments that hide everything',
]
// The first one warms the service up.
await control()
const calm = await control()

for (const title of short) {
  test(`${title}: nobody else is slowed, stopped or lost`, async (t) => {
    const life = await live({ ...known, ...others }[title]!)
    t.diagnostic(`reads p99 ${life.p99} ms, ${calm.p99} ms without; at most ${life.max} ms`)
    requireUnharmed(life, calm, service.said())
  })
}
