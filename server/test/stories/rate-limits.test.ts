import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { rows } from '#db/pool.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

/** Small enough to be met, long enough for a busy machine to tell what lies in a window. */
const quotas = {
  standard: { limit: 20, ms: 2_000 },
  creation: { limit: 5, ms: 2_000 },
  logs: { limit: 30, ms: 3_000 },
}
type Policy = keyof typeof quotas
const policies = Object.keys(quotas) as Policy[]
const rateLimits = policies.map((name) => `${name}=${quotas[name].limit}/${quotas[name].ms / 1_000}`).join(',')

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_RATE_LIMITS: rateLimits } })
const path = `/v1/organizations/${service.organizationId}`

/** One request, as its sender saw it: somewhere between `sent` and `answered` it was decided. */
type Seen = { token: string; policy: Policy; sent: number; answered: number; passed: boolean; retryAfter: number }

async function ask(url: string, token: string, policy: Policy): Promise<Seen> {
  const route = { standard: '/agent/runs?limit=1', creation: '/agent/run', logs: '/agent/run/1/logs?limit=1' }[policy]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = performance.now()
  const answer = await fetch(`${url}${path}${route}`, {
    headers,
    ...(policy === 'creation' && { method: 'POST', body: JSON.stringify({ prompt: 'Go', agent_type: 'scripted' }) }),
  })
  await answer.arrayBuffer()
  assert.ok([200, 404, 429].includes(answer.status), `${answer.status}`)
  const retryAfter = Number(answer.headers.get('retry-after'))
  return { token, policy, sent, answered: performance.now(), passed: answer.status !== 429, retryAfter }
}

async function newToken(): Promise<string> {
  for (;;) {
    const made = await service.ask('POST', `${path}/tokens`, { name: 'test' })
    if (made.ok) return ((await made.json()) as { token: string }).token
    await sleep(Number(made.headers.get('retry-after')) * 1_000)
  }
}

/**
 * Holds what was seen against the contract, as far as the senders can tell: nothing passed or was refused wrongly. A
 * change of where counts are kept may make them younger by `lateMs`, so that somebody waits that much longer.
 */
function assertExact(seen: Seen[], { lateMs = 0 } = {}): void {
  for (const one of seen) {
    const { limit, ms } = quotas[one.policy]
    const charged = seen.filter(
      ({ token, policy, passed }) => passed && token === one.token && (one.policy === 'logs' || policy === one.policy),
    )
    if (!one.passed) {
      const possible = charged.filter(({ sent, answered }) => sent < one.answered && answered > one.sent - ms - lateMs)
      assert.ok(possible.length >= limit, `${one.policy} was refused after ${possible.length}`)
      continue
    }
    const earlier = charged.filter(({ sent, answered }) => answered < one.sent && sent > one.answered - ms)
    assert.ok(earlier.length < limit, `${one.policy} passed after ${earlier.length}`)
    if (one.policy === 'logs') continue
    const inWindow = charged.filter(({ sent, answered }) => sent >= one.sent && answered < one.sent + ms)
    assert.ok(inWindow.length <= limit, `${inWindow.length} of ${one.policy} passed in one window`)
  }
}

const modes = async () =>
  (await rows<{ inMemory: boolean }>(db, 'select in_memory from rate_counters where alive_until > now()')).map(
    (row) => row.inMemory,
  )
const sum = (seen: Seen[]) => seen.filter(({ passed }) => passed).length

test('after Retry-After a request passes', async () => {
  const token = await newToken()
  const burst = await Promise.all(Array.from({ length: 10 }, () => ask(service.url, token, 'creation')))
  assert.equal(sum(burst), 5)
  const { retryAfter } = burst.find(({ passed }) => !passed)!
  assert.ok(retryAfter >= 1 && retryAfter <= 2)
  await sleep(retryAfter * 1_000)
  assert.equal((await ask(service.url, token, 'creation')).passed, true)
})

test('while a second process joins under load, serves, and leaves again, the limits hold to the request', async () => {
  const token = await newToken()
  const urls = [service.url]
  const seen: Promise<Seen>[] = []
  const done = new AbortController()
  const load = (async () => {
    for (let n = 0; !done.signal.aborted; n++) {
      for (const policy of policies) seen.push(ask(urls[n % urls.length]!, token, policy))
      await sleep(20)
    }
  })()
  await until(async () => seen.length > 150 && (await modes()).join() === 'true', 'the first counts in memory')
  const second = await service.startApi()
  assert.deepEqual(await modes(), [false, false])
  urls.push(second.url)
  const joined = seen.length
  await until(() => seen.length > joined + 200, 'both have served')
  urls.pop()
  await Promise.all(seen)
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
  await until(async () => (await modes()).join() === 'true', 'the first counts in memory again')
  const left = seen.length
  await until(() => seen.length > left + 150, 'the first has served alone')
  done.abort()
  await load
  const all = await Promise.all(seen)
  assertExact(all, { lateMs: 1_000 })
  for (const policy of policies) {
    const ofPolicy = all.filter((one) => one.policy === policy)
    assert.ok(ofPolicy.some(({ passed }) => passed) && ofPolicy.some(({ passed }) => !passed), policy)
  }
})

test('of 1,000 requests at random over two processes no window lets more than its limit pass', async () => {
  const second = await service.startApi()
  const urls = [service.url, second.url]
  const tokens = [await newToken(), await newToken(), await newToken()]
  const arrival = fc.record({
    url: fc.constantFrom(...urls),
    token: fc.constantFrom(...tokens),
    policy: fc.constantFrom(...policies),
    waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { minLength: 1_000, maxLength: 1_000 }), async (arrivals) => {
      const seen: Promise<Seen>[] = []
      for (const { url, token, policy, waitMs } of arrivals) {
        seen.push(ask(url, token, policy))
        if (waitMs) await sleep(waitMs)
      }
      const all = await Promise.all(seen)
      assertExact(all)
      assert.ok(sum(all) > 100 && sum(all) < 900, `${sum(all)} passed`)
    }),
    { numRuns: 1, endOnFailure: true },
  )
  // Twice the limit at once, over both: exactly the limit passes, and what is refused is charged to nothing.
  const token = await newToken()
  const burst = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(urls[n % 2]!, token, 'standard')))
  assert.equal(sum(burst), 20)
  const logs = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(urls[n % 2]!, token, 'logs')))
  assert.equal(sum(logs), 10)
})
