import { after, test } from 'node:test'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { type SuiteEngine, startEngineForSuite } from '#test/engine-for-suite.ts'
import { testDb } from '#test/test-db.ts'
import { known, others } from './attacks.ts'
import { openNeighborhood, requireUnharmed } from './neighborhood.ts'

/** A commit tries one in so many. */
const SHARES = 6
/** Only who weighs processors withstands them, and nobody weighs those of gVisor without control groups. */
const spinning = ['processes that only spin', 'a storm of forks']

/** What hostile runs and members do, once more where sandboxes are containers of this engine. */
export async function tryFromContainers(name: SuiteEngine): Promise<void> {
  const engine = await startEngineForSuite(name)
  if (typeof engine === 'string') return void test(`hostile neighbors by ${name}`, { skip: engine }, () => {})
  after(engine.stop)
  const { socket, image } = engine
  const env = {
    RUNWRIGHT_SANDBOX: 'container',
    RUNWRIGHT_SANDBOX_ENGINE: socket,
    RUNWRIGHT_SANDBOX_IMAGE: image,
    ...(name !== 'docker' && { RUNWRIGHT_SANDBOX_RUNTIME: name }),
  }
  const { service, live, control } = await openNeighborhood({ db: await testDb(), env })
  // The first one warms the service up.
  await control()
  const calm = await control()
  // Nobody weighs the processors of gVisor against those of others, so these may wait.
  const [bound, harm] =
    name === 'runsc' ? [{ ...calm, p99: Infinity }, 'stopped or lost'] : [calm, 'slowed, stopped or lost']
  const skipped = (title: string) => name === 'runsc' && spinning.includes(title) && 'Nobody weighs its processors.'
  for (const [title, attack] of casesOfCommit(Object.entries({ ...known, ...others }), SHARES)) {
    test(`${title}, by ${name}: nobody else is ${harm}`, { timeout: 120_000, skip: skipped(title) }, async (t) => {
      const life = await live(attack)
      t.diagnostic(`reads p99 ${life.p99} ms, ${calm.p99} ms without; at most ${life.max} ms`)
      requireUnharmed(life, bound, service.said())
    })
  }
}
