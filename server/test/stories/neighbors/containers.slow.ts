/** What hostile runs do inside of their sandbox, once more where that is a container. */
import { test } from 'node:test'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { startEngine } from '#test/container-engine.ts'
import { testDb } from '#test/test-db.ts'
import { known, others } from './attacks.ts'
import { openNeighborhood, requireUnharmed } from './neighborhood.ts'

const attacks = [
  'thousands of descriptors in hundreds of processes',
  'files that are renamed while they are counted',
  'processes that only spin',
  'a storm of forks',
  'hundreds of thousands of empty files',
  'folders ten thousand deep',
  'pipes full of data',
  'a flood of output',
  'a flood of single bytes',
  'lines of fifty megabytes',
  'files that are written through to the disk',
  'connections that say nothing',
]

const engine = await startEngine()
if (typeof engine === 'string') test('hostile neighbors in containers', { skip: engine }, () => {})
else {
  const { socket, image } = engine
  const env = { RUNWRIGHT_SANDBOX: 'container', RUNWRIGHT_SANDBOX_ENGINE: socket, RUNWRIGHT_SANDBOX_IMAGE: image }
  const { service, live, control } = await openNeighborhood({ db: await testDb(), env })
  // The first one warms the service up.
  await control()
  const calm = await control()
  for (const title of casesOfCommit(attacks, 3)) {
    test(`${title}, from a container: nobody else is slowed, stopped or lost`, { timeout: 120_000 }, async (t) => {
      const life = await live({ ...known, ...others }[title]!)
      t.diagnostic(`reads p99 ${life.p99} ms, ${calm.p99} ms without; at most ${life.max} ms`)
      requireUnharmed(life, calm, service.said())
    })
  }
}
