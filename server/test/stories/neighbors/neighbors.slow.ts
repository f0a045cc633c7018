import { test } from 'node:test'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { testDb } from '#test/test-db.ts'
import { known, others } from './attacks.ts'
import { openNeighborhood, requireUnharmed } from './neighborhood.ts'

const { service, live, control } = await openNeighborhood({ db: await testDb() })
// The first one warms the service up.
await control()
const calm = await control()

for (const [title, attack] of casesOfCommit(Object.entries({ ...known, ...others }), 2)) {
  test(`${title}: nobody else is slowed, stopped or lost`, async (t) => {
    const life = await live(attack)
    t.diagnostic(`reads p50 ${life.p50}, p99 ${life.p99} ms, ${calm.p99} ms without; at most ${life.max} ms`)
    requireUnharmed(life, calm, service.said())
  })
}
