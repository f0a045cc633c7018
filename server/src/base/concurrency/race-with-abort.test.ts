import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'
import { raceWithAbort } from './race-with-abort.ts'

test('an engine ends as it wants, in time', async () => {
  const { signal } = new AbortController()
  assert.equal(await raceWithAbort(Promise.resolve('done'), { signal }), 'done')
  await assert.rejects(raceWithAbort(Promise.reject(new Error('no')), { signal }), /no/)
})

test('one that tidies up after a stop is waited for, one that hangs is not', async () => {
  const stopped = new AbortController()
  const reason = new TurnStopped('cancelled')
  const tidying = raceWithAbort(
    new Promise((_, reject) =>
      stopped.signal.addEventListener('abort', () => setImmediate(reject, new Error('tidied'))),
    ),
    { signal: stopped.signal, graceMs: 10_000 },
  )
  const hanging = raceWithAbort(new Promise(() => {}), { signal: stopped.signal, graceMs: 20 })
  stopped.abort(reason)
  await Promise.all([assert.rejects(tidying, /tidied/), assert.rejects(hanging, reason)])
})
