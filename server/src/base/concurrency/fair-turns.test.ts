import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairTurns } from './fair-turns.ts'

const options = { atOnceMax: 3, perKeyMax: 2, waitingMax: 100, waitMs: 60_000 }

/** Work that ends when it is told to, and what is known of it. */
function makeWork() {
  const begun: { key: string; end: () => void }[] = []
  let [now, most] = [0, 0]
  const act = (key: string) => async () => {
    most = Math.max(most, ++now)
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push({ key, end: resolve })
    await promise
    now--
  }
  return { begun, act, most: () => most }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('no more work at once than may, and what an organization asks for a hundred times keeps another waiting for nothing', async () => {
  const turns = fairTurns(options)
  const { begun, act, most } = makeWork()
  const loud = Array.from({ length: 50 }, () => turns('loud', undefined, act('loud')))
  const quiet = turns('quiet', undefined, act('quiet'))
  await settled()
  assert.deepEqual(
    begun.map(({ key }) => key),
    ['loud', 'loud', 'quiet'],
  )
  for (let n = 0; n < begun.length; n++) {
    begun[n]!.end()
    await settled()
  }
  await Promise.all([...loud, quiet])
  assert.equal(begun.length, 51)
  assert.equal(most(), 3)
})

test('those who wait take turns by organization', async () => {
  const turns = fairTurns({ ...options, atOnceMax: 1 })
  const { begun, act } = makeWork()
  const all = ['a', 'a', 'a', 'b', 'c'].map((key) => turns(key, undefined, act(key)))
  for (let n = 0; n < all.length; n++) {
    await settled()
    begun[n]!.end()
  }
  await Promise.all(all)
  assert.deepEqual(
    begun.map(({ key }) => key),
    ['a', 'a', 'b', 'c', 'a'],
  )
})

test('who waits for too long, finds too many waiting, or goes away, is told so and takes no turn', async () => {
  const turns = fairTurns({ atOnceMax: 1, perKeyMax: 1, waitingMax: 1, waitMs: 20 })
  const { begun, act } = makeWork()
  const first = turns('a', undefined, act('a'))
  const late = turns('a', undefined, act('a'))
  await assert.rejects(turns('a', undefined, act('a')), { code: 'unavailable' })
  await assert.rejects(late, { code: 'unavailable' })
  const gone = new AbortController()
  const left = turns('a', gone.signal, act('a'))
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  begun[0]!.end()
  await first
  assert.equal(begun.length, 1)
  const next = turns('a', undefined, act('a'))
  await settled()
  begun[1]!.end()
  await next
})
