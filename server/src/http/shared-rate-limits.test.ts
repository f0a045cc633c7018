import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { createToken } from '#domain/accounts/tokens/create-token.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member } = await testApp({
  rateLimits: 'standard=100/60,logs=0,creation=0,setup=0,analysis=0,session=0,user=6/60,organization=9/60',
})

test('a user’s tokens share one limit, and an organization’s members another; the answers say how they stand', async () => {
  const me = await member()
  const made = await ask(`${me.path}/tokens`, { method: 'POST', token: me.token, body: { name: 'another' } })
  assert.equal(made.status, 201)
  assert.match(String(made.headers.get('ratelimit')), /"user";r=5;t=\d+, "organization";r=8;t=\d+/)
  assert.match(String(made.headers.get('ratelimit-policy')), /"user";q=6;w=60, "organization";q=9;w=60/)
  const standing = await ask(`${me.path}/rate-limits`, { token: String(made.body.token) })
  const items = standing.body.items as { policy: string; remaining: number }[]
  assert.deepEqual(
    items.map(({ policy, remaining }) => [policy, remaining]),
    [
      ['standard', 99],
      ['user', 4],
      ['organization', 7],
    ],
  )
  const tokens = [me.token, String(made.body.token)]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => ask(`${me.path}/agent/runs`, { token: tokens[n % 2]! })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 4)
  const refused = answers.find(({ status }) => status === 429)!
  assert.match(
    String(refused.body.message),
    /^You, with all of your tokens and browsers, may send 6 requests in 60 seconds\. /,
  )
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const { body: session, headers } = await ask('/v1/session', {
    method: 'POST',
    body: { token: me.token },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(session.user_id, me.userId)
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${me.path}/agent/runs`, { headers: { cookie } })).status, 429, 'a browser is no way around')
})

test('a member holds so many tokens and no more, however many are made at once', async () => {
  const me = await member()
  await app.pool.query(
    `insert into credentials (organization_id, user_id, kind, name, digest, prefix, last4, scopes, expires_at, revoked_at)
     select organization_id, user_id, kind, name, sha256(digest || n::text::bytea), prefix, last4, scopes,
       case when n > $2 then now() - interval '1 day' end, case when n > $2 + 5 then now() end
     from credentials, generate_series(1, $2 + 10) n where organization_id = $1 and kind = 'token'`,
    [me.organizationId, limits.tokensPerMemberMax - 4],
  )
  // One is there already; what is over counts no more.
  const made = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      createToken(app.pool, app.tokenKeys, {
        organizationId: me.organizationId,
        userId: me.userId,
        name: 'one more',
        scopes: ['read'],
        scopesMax: ['read'],
        expiresAt: null,
      }),
    ),
  )
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 3)
  const refused = await ask(`${me.path}/tokens`, { method: 'POST', token: me.token, body: { name: 'more' } })
  assert.equal(refused.status, 409)
  assert.match(String(refused.body.message), /at most 100 tokens that are good: revoke one/)
})
