import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { testApp } from '#test/test-app.ts'
import { WrongTokens } from './wrong-tokens.ts'

const { app, url, ask, member } = await testApp({
  env: { RUNWRIGHT_WRONG_TOKENS: '20', RUNWRIGHT_TRUSTED_PROXIES: '127.0.0.1' },
})
const from = (address: string) => ({ 'x-forwarded-for': address })
const wrong = (n: number) => `rw_${String(n).padStart(43, '0')}`
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)
const count = (all: number[], status: number) => all.filter((one) => one === status).length

/** How many wrong tokens were counted, as Prometheus reads it. */
async function counted(outcome: string): Promise<number> {
  const { text } = await app.telemetry.metrics.read()
  return Number(new RegExp(`^runwright_wrong_tokens_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

test('who guesses tokens is soon answered without a look, and the rest of the address goes on working', async () => {
  const headers = from('192.0.2.1')
  const me = await member()
  assert.equal((await ask('/v1/users/me', { token: me.token, headers })).status, 200)
  const [refused, slowed] = [await counted('refused'), await counted('slowed')]
  const guesses = []
  for (let n = 0; n < 40; n++) guesses.push(await ask('/v1/users/me', { token: wrong(n), headers }))
  const answered = statuses(guesses)
  assert.deepEqual(new Set(answered.slice(0, 20)), new Set([401]))
  assert.ok(count(answered, 429) >= 10, String(answered))
  const last = guesses.find(({ status }) => status === 429)!
  assert.ok(Number(last.headers.get('retry-after')) > 0)
  assert.equal(last.body.code, 'rate_limited')
  assert.match(String(last.body.message), /wrong tokens came from this address/)
  assert.equal((await ask('/v1/users/me', { token: me.token, headers })).status, 200, 'a good one from there')
  assert.equal(
    (await ask('/v1/users/me', { token: wrong(1), headers: from('192.0.2.2') })).status,
    401,
    'from elsewhere',
  )
  assert.equal((await counted('refused')) - refused + (await counted('slowed')) - slowed, 41)
})

test('guesses at the sign-in form and at git count as well', async () => {
  const headers = { ...from('192.0.2.7'), 'sec-fetch-site': 'same-origin' }
  const signIn = (token: string) => ask('/v1/session', { method: 'POST', body: { token }, headers })
  for (let n = 0; n < 20; n++) assert.equal((await signIn(wrong(n))).status, 401)
  const clone = (token: string) =>
    fetch(`${url}/git/1/web.git/info/refs?service=git-upload-pack`, {
      headers: { ...headers, authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
    })
  const answers = [
    ...(await Promise.all([1, 2, 3].map((n) => signIn(wrong(n))))),
    await clone(wrong(4)),
    await clone(wrong(5)),
  ]
  assert.ok(count(statuses(answers), 429) >= 3, String(statuses(answers)))
  const bare = await fetch(`${url}/git/1/web.git/info/refs?service=git-upload-pack`, { headers })
  assert.equal(bare.status, 401, 'no token is no wrong one')
})

test('a thousand guesses at once are looked up no more often than they may', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => ask('/v1/users/me', { token: wrong(n), headers: from('2001:db8::1') })),
  )
  assert.ok(count(statuses(answers), 429) >= 1_000 - 20 * (limits.tokensTriedFactor + 1) - 60)
  const neighbor = { token: wrong(0), headers: from('2001:db8:0:0:ffff::9') }
  assert.ok(
    (await Promise.all([ask('/v1/users/me', neighbor), ask('/v1/users/me', neighbor)])).some(
      ({ status }) => status === 429,
    ),
  )
})

const outcomes: string[] = []
function open(max: number) {
  let nowMs = 1_000_000
  const tokens = new WrongTokens({
    max,
    clock: { now: () => new Date(nowMs) },
    onWrong: () => {},
    onSlowed: (address) => outcomes.push(address),
  })
  const begin = (text: string, address = '192.0.2.1') => tokens.begin(address, text)
  const show = (text: string, outcome: 'good' | 'wrong', address?: string) => {
    const begun = begin(text, address)
    if ('end' in begun) begun.end(outcome)
    return 'end' in begun
  }
  return { begin, show, pass: (ms: number) => (nowMs += ms) }
}

test('a thousand requests with one good token that wait for the database are no guesses', () => {
  const { begin, show } = open(3)
  const waiting = Array.from({ length: 1_000 }, () => begin('mine'))
  const ends = waiting.flatMap((begun) => ('end' in begun ? [begun.end] : []))
  assert.equal(ends.length, 1_000)
  for (const end of ends) end('unknown')
  assert.ok(show('mine', 'good'))
})

test('more different tokens at once than may be looked up are told to come back in a second', () => {
  const { begin } = open(3)
  const waiting = Array.from({ length: 20 }, (_, n) => begin(`token ${n}`))
  assert.equal(waiting.filter((begun) => 'end' in begun).length, 3 * limits.tokensTriedFactor)
  const refused = waiting.at(-1)!
  assert.ok('sentence' in refused)
  assert.equal(refused.retryAfterSeconds, 1)
  assert.match(refused.sentence, /being checked at once/)
  for (const begun of waiting) if ('end' in begun) begun.end('unknown')
  assert.ok('end' in begin('another'))
})

test('an address is slowed for the rest of its minute, said once, with one look a second', () => {
  const { show, pass } = open(3)
  assert.ok(show('mine', 'good'))
  for (const n of [1, 2, 3]) assert.ok(show(`wrong ${n}`, 'wrong'))
  assert.equal(show('wrong 4', 'wrong'), false)
  assert.ok(show('mine', 'good'), 'what was good is looked up')
  pass(limits.wrongTokenTryMs)
  assert.ok(show('new and good', 'good'), 'one look a second')
  assert.equal(show('wrong 5', 'wrong'), false)
  assert.ok(show('new and good', 'good'))
  pass(limits.wrongTokensMs)
  assert.ok(show('wrong 6', 'wrong'))
  assert.deepEqual(outcomes, ['192.0.2.1'])
})

test('what was good and is no more is good no more here either', () => {
  const { show } = open(2)
  assert.ok(show('mine', 'good'))
  for (const n of [1, 2]) show(`wrong ${n}`, 'wrong')
  assert.ok(show('mine', 'wrong'))
  assert.equal(show('mine', 'wrong'), false)
})

test('more addresses than are told apart fill no memory', () => {
  const { show } = open(2)
  for (let n = 0; n < limits.visitorsCountedMax * 2; n++) assert.ok(show(`${n}`, 'wrong', `address ${n}`))
})
