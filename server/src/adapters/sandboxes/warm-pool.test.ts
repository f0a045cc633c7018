/** How many sandboxes are kept ready, of what kinds, and for how long. That real ones can be given is in `warm-sandbox.slow.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '#test/test-sandboxes.ts'
import type { PoolSetting } from './local-launch.ts'
import type { SandboxTrouble } from './sandbox.ts'
import { WarmPool, type Kind } from './warm-pool.ts'
import type { WarmSandbox } from './warm-sandbox.ts'

type Made = WarmSandbox & { key: string; end: () => void; isRemoved: boolean }

function open(setting: Partial<PoolSetting> = {}) {
  const made: Made[] = []
  const troubles: SandboxTrouble[] = []
  let ready = 0
  const pool = new WarmPool({
    size: 2,
    quietMs: 1,
    onReady: (count) => (ready = count),
    onTrouble: (trouble) => troubles.push(trouble),
    ...setting,
  })
  const kind = (key: string, more: Partial<Kind> = {}): Kind => ({
    key,
    memoryBytes: 1,
    make: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const sandbox: Made = {
        key,
        end: resolve,
        ended: promise,
        isRemoved: false,
        give: async () => assert.fail('nobody is given one here'),
        remove: async () => void (sandbox.isRemoved = true),
      }
      made.push(sandbox)
      return sandbox
    },
    ...more,
  })
  /** As a run that asks for one of this kind. */
  const ask = (key: string, more: Partial<Kind> = {}) => pool.whileCreating(async () => pool.want(kind(key, more)))
  const readyNow = () => made.filter(({ isRemoved }) => !isRemoved).map(({ key }) => key)
  const untilReady = (count: number) => until(() => ready === count, `${count} are ready`)
  return { pool, made, troubles, ask, readyNow, untilReady }
}

test('keeps as many ready as it may, of the kinds that were asked for last', async () => {
  const { pool, ask, readyNow, untilReady } = open({ size: 3 })
  await ask('a')
  await untilReady(3)
  await ask('b')
  await until(() => readyNow().toSorted().join() === 'a,b,b', 'there is room for both')
  for (const key of ['c', 'd']) await ask(key)
  await until(() => readyNow().toSorted().join() === 'b,c,d', 'the oldest kind is gone')
  await pool.close()
  assert.deepEqual(readyNow(), [])
})

test('gives each to one alone, and none of another kind', async () => {
  const { pool, ask, untilReady } = open({ size: 1 })
  await ask('a')
  await untilReady(1)
  assert.equal(pool.take('b'), undefined)
  assert.ok(pool.take('a'))
  assert.equal(pool.take('a'), undefined)
  await pool.close()
})

test('gives none that has ended, and puts another in its place', async () => {
  const { pool, made, ask, untilReady } = open({ size: 1 })
  await ask('a')
  await untilReady(1)
  made[0]!.end()
  await until(() => made.length === 2, 'another one is made')
  await untilReady(1)
  assert.equal(pool.take('a'), made[1])
  assert.ok(made[0]!.isRemoved)
  await pool.close()
})

test('gives none that is too old', async () => {
  const { pool, made, ask, untilReady } = open({ size: 1, ageMsMax: 50, quietMs: 20 })
  await ask('a')
  await untilReady(1)
  await until(() => made.length >= 2 && made[0]!.isRemoved, 'it is replaced')
  await pool.close()
})

test('makes none while a sandbox is being created', async () => {
  const { pool, made, ask, untilReady } = open({ size: 1 })
  const running = Promise.withResolvers<void>()
  const creating = pool.whileCreating(() => running.promise)
  await ask('a')
  await delay(30)
  assert.equal(made.length, 0)
  running.resolve()
  await creating
  await untilReady(1)
  await pool.close()
})

test('fails no run where none can be made, says so once, and does not try all the time', async () => {
  const { pool, troubles, ask } = open()
  let tries = 0
  const make = async () => {
    tries += 1
    throw new Error('the engine is away')
  }
  await ask('a', { make })
  await until(() => troubles.length === 1, 'it is told')
  for (let again = 0; again < 5; again++) await ask('a', { make })
  await delay(30)
  assert.deepEqual([tries, troubles.length, troubles[0]!.kind], [1, 1, 'not_made_ready'])
  assert.equal(pool.take('a'), undefined)
  await pool.close()
})

test('forgets a kind that cannot be made any more, and makes none where memory is short', async () => {
  const { pool, troubles, made, ask } = open()
  let tries = 0
  await ask('gone', { make: async () => (tries++, null) })
  await until(() => tries === 1, 'it was tried')
  await ask('large', { memoryBytes: Infinity })
  await delay(30)
  assert.deepEqual([tries, made.length, troubles.length], [1, 0, 0])
  await pool.close()
})
