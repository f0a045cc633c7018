import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { policies, quotasDefault, requestPolicies, type Policy, type Quotas } from '#base/rate-limits.ts'
import { testDb } from '#test/test-db.ts'
import { admitInDatabase } from './admit-in-database.ts'
import { admitInMemory, forgetSilentIn, keptOf, memoryOf, type Memory } from './memory.ts'
import { readWindows } from './read-windows.ts'
import { chargeOf } from './window.ts'

const db = await testDb()
let credentials = 0
const newCredential = () => ++credentials

/** The rule in the words of the contract: every request that passed, kept for ever, counted anew at each one. */
function plainModel(quotas: Quotas) {
  const passed: { policy: Policy; at: number }[] = []
  const used = (policy: Policy, now: number) => {
    const { windowSeconds } = quotas[policy]!
    const charged = passed.filter((one) => (policy === 'logs' ? one.policy !== 'session' : one.policy === policy))
    return charged.filter(({ at }) => now - at < windowSeconds * 1_000).length
  }
  return {
    passed,
    used,
    admit(policy: Policy, now: number): boolean {
      const isAdmitted = quotas[policy] === null || used(policy, now) < quotas[policy].limit
      if (isAdmitted) passed.push({ policy, at: now })
      return isAdmitted
    },
  }
}

const anyQuota = fc.option(
  fc.record({ limit: fc.integer({ min: 1, max: 6 }), windowSeconds: fc.integer({ min: 1, max: 5 }) }),
  { freq: 6 },
)
const anyQuotas: fc.Arbitrary<Quotas> = fc.record({
  creation: anyQuota,
  setup: anyQuota,
  analysis: anyQuota,
  logs: anyQuota,
  standard: anyQuota,
  session: anyQuota,
  user: fc.constant(null),
  organization: fc.constant(null),
})
const anyArrivals = fc.array(
  fc.record({
    policy: fc.constantFrom(...requestPolicies),
    waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_500 })),
  }),
  { minLength: 1, maxLength: 80 },
)

test('in memory, requests pass exactly as the contract says, whatever comes when', () => {
  fc.assert(
    fc.property(anyQuotas, anyArrivals, fc.nat(80), (quotas, arrivals, moved) => {
      const [model, credentialId] = [plainModel(quotas), newCredential()]
      let memory: Memory = new Map()
      let now = 1_000
      for (const [n, { policy, waitMs }] of arrivals.entries()) {
        now += waitMs
        // Counts that go from one process to another are the same counts.
        if (n === moved) memory = memoryOf(keptOf(memory, now), now)
        const decision = admitInMemory(memory, chargeOf(quotas, { credentialId, policy }), now)
        assert.equal(decision.isAdmitted, model.admit(policy, now))
        for (const { policy: one, limit, used, resetsInMs } of decision.states) {
          assert.equal(used, Math.min(model.used(one, now), limit))
          // After what is said to be the wait there is room for one more, and not a moment earlier.
          if (used < limit) continue
          assert.ok(model.used(one, now + resetsInMs!) < limit)
          assert.ok(model.used(one, now + resetsInMs! - 1) >= limit)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('tokens that are silent are forgotten, and no others', () => {
  const memory: Memory = new Map()
  const charge = (credentialId: number, now: number) =>
    admitInMemory(memory, chargeOf(quotasDefault, { credentialId, policy: 'standard' }), now)
  charge(1, 0)
  charge(2, 30_000)
  forgetSilentIn(memory, { silentMs: 60_000, now: 59_999 })
  assert.deepEqual([...memory.keys()], [1, 2])
  forgetSilentIn(memory, { silentMs: 60_000, now: 60_000 })
  assert.deepEqual([...memory.keys()], [2])
})

/** Lets all that was charged to a token grow older, as if time had passed. */
async function age(credentialId: number, ms: number): Promise<void> {
  await db.query(
    `update rate_windows set times = array(select time - $2 * interval '1 ms' from unnest(times) with ordinality as t (time, n) order by n)
     where credential_id = $1`,
    [credentialId, ms],
  )
}

/** So large beside the time that the test itself takes that the latter decides nothing. */
const tickSeconds = 100

test('in the database, requests pass exactly as the contract says, whatever comes when', async () => {
  const arrivals = fc.array(fc.record({ policy: fc.constantFrom(...requestPolicies), ticks: fc.nat(2) }), {
    minLength: 10,
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(anyQuotas, arrivals, async (options, arrivals) => {
      const quotas = { ...options }
      for (const policy of requestPolicies)
        quotas[policy] &&= { ...quotas[policy], windowSeconds: quotas[policy].windowSeconds * tickSeconds }
      const [model, credentialId] = [plainModel(quotas), newCredential()]
      let now = 0
      for (const { policy, ticks } of arrivals) {
        now += ticks * tickSeconds * 1_000
        if (ticks) await age(credentialId, ticks * tickSeconds * 1_000)
        const isAdmitted = model.admit(policy, now)
        const charge = chargeOf(quotas, { credentialId, policy })
        if (!charge.windows.length) continue
        const [decision] = await admitInDatabase(db, [charge])
        assert.equal(decision?.isAdmitted, isAdmitted)
        for (const states of [decision.states, await readWindows(db, credentialId, charge.windows)])
          for (const { policy: one, limit, used } of states) assert.equal(used, Math.min(model.used(one, now), limit))
      }
    }),
    { numRuns: 25 },
  )
})

test('many tokens charged at once by several statements never block each other, and are counted exactly', async () => {
  const credentialIds = Array.from({ length: 20 }, () => newCredential())
  const charges = credentialIds.flatMap((credentialId) =>
    requestPolicies.map((policy) => chargeOf(quotasDefault, { credentialId, policy })),
  )
  const rounds = Array.from({ length: 8 }, (_, n) => admitInDatabase(db, n % 2 ? charges : charges.toReversed()))
  const decisions = (await Promise.all(rounds)).flatMap((round, n) => (n % 2 ? round : round.toReversed()))
  for (const [n, { windows }] of charges.entries()) {
    const admitted = decisions.filter((decision, at) => at % charges.length === n && decision?.isAdmitted).length
    const [{ policy, limit } = { policy: 'none', limit: 0 }] = windows
    // The shared one is charged by the others too.
    if (policy !== 'logs') assert.equal(admitted, Math.min(limit, rounds.length), policy)
  }
})

test('with limits of users and organizations, the database decides as memory does, whoever sends what', async () => {
  const anyRequest = fc.record({ token: fc.nat(5), policy: fc.constantFrom(...requestPolicies) })
  const shared = fc.record({ user: anyQuota, organization: anyQuota })
  await fc.assert(
    fc.asyncProperty(anyQuotas, shared, fc.array(anyRequest, { maxLength: 50 }), async (own, both, requests) => {
      const quotas = { ...own, ...both }
      for (const policy of policies) quotas[policy] &&= { ...quotas[policy], windowSeconds: 1_000 }
      const [base, memory]: [number, Memory] = [newCredential() * 100, new Map()]
      const charges = requests.map(({ token, policy }) => {
        // Six tokens of three users in two organizations.
        const [userId, organizationId] = [base + (token >> 1), base + (token & 1)]
        return chargeOf(quotas, { credentialId: base + token, userId, organizationId, policy })
      })
      const asked = charges.filter(({ windows, shared }) => windows.length || shared.length)
      const inMemory = asked.map((charge) => admitInMemory(memory, charge, 1_000))
      const decided = asked.length ? await admitInDatabase(db, asked) : []
      const plain = (decision: (typeof inMemory)[number] | undefined) => ({
        isAdmitted: decision?.isAdmitted,
        states: decision?.states.map(({ policy, used }) => [policy, used]),
      })
      // One statement charges the requests of one token in their order, and those of different tokens in any.
      if (asked.some(({ shared }) => shared.length)) assert.deepEqual(decided.map(plain), inMemory.map(plain))
    }),
    { numRuns: 40 },
  )
})
