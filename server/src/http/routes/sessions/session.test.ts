import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepSessions } from '#domain/accounts/sessions/sweep-sessions.ts'
import { testApp, type Ask } from '#test/test-app.ts'

const { app, ask, member, reachedAt } = await testApp({ rateLimits: 'standard=2/30' })
const secure = await reachedAt('https://runs.example')
const ours = { 'sec-fetch-site': 'same-origin' }

async function signIn(token: string, at = ask) {
  const answer = await at('/v1/session', { method: 'POST', body: { token }, headers: ours })
  const set = String(answer.headers.get('set-cookie'))
  return { answer, set, cookie: set.split(';')[0]! }
}

const as = (cookie: string, path: string, { headers, ...request }: Ask = {}, at = ask) =>
  at(path, { ...request, headers: { cookie, ...ours, ...headers } })

test('a browser signs in with a token, and its cookie then does what the token may', async () => {
  const me = await member()
  const { answer, set, cookie } = await signIn(me.token)
  assert.equal(answer.status, 201)
  assert.equal(answer.body.user_id, me.userId)
  assert.ok(!answer.text.includes(cookie.split('=')[1]!), 'no script sees the secret')
  assert.match(set, /; HttpOnly; SameSite=Strict; /)
  assert.doesNotMatch(set, /Secure/, 'plain HTTP')
  assert.equal((await as(cookie, '/v1/users/me')).body.id, me.userId)
  const run = await as(cookie, `${me.path}/agent/run`, { method: 'POST', body: { prompt: 'Go' } })
  assert.equal(run.body.source_type, 'WEB')
  assert.equal((await as(cookie, '/v1/organizations/999999')).status, 403)
})

test('where people come over https, so does the cookie', async () => {
  const { set } = await signIn((await member()).token, secure.ask)
  assert.match(set, /^__Host-runwright_session=rws_\w+; Path=\/; HttpOnly; SameSite=Strict; [^,]*, [^,]*; Secure/)
})

test('who signed in before the cookie had its prefix stays signed in, and signing out ends both', async () => {
  const me = await member()
  const { cookie: old } = await signIn(me.token)
  assert.equal((await as(old, '/v1/users/me', {}, secure.ask)).body.id, me.userId)
  const other = await member()
  const { cookie: fresh } = await signIn(other.token, secure.ask)
  assert.match(fresh, /^__Host-/)
  assert.equal(
    (await as(`${old}; ${fresh}`, '/v1/users/me', {}, secure.ask)).body.id,
    other.userId,
    'the new one counts',
  )
  const out = await as(fresh, '/v1/session', { method: 'DELETE' }, secure.ask)
  const cleared = out.headers.getSetCookie().map((one) => one.split(';')[0])
  assert.deepEqual(cleared, ['__Host-runwright_session=', 'runwright_session='])
  assert.equal((await as('__Host-runwright_session=x', '/v1/users/me')).status, 401)
})

test('a browser may ask more often than a program', async () => {
  const me = await member()
  const { cookie } = await signIn(me.token)
  for (let n = 0; n < 5; n++) assert.equal((await as(cookie, '/v1/users/me')).status, 200)
  assert.equal((await ask('/v1/users/me', { token: me.token })).status, 200, 'nor is the program charged')
})

test('another site gets nothing done with the cookie', async () => {
  const me = await member()
  const { cookie } = await signIn(me.token)
  const start = (headers: Record<string, string>) =>
    ask(`${me.path}/agent/run`, { method: 'POST', body: { prompt: 'Go' }, headers: { cookie, ...headers } })
  for (const site of ['cross-site', 'same-site', 'none']) {
    const refused = await start({ 'sec-fetch-site': site })
    assert.equal(refused.status, 403, site)
    assert.equal(refused.body.code, 'forbidden')
  }
  assert.equal((await start({})).status, 403)
  assert.equal((await start({ origin: 'https://evil.example' })).status, 403)
  assert.equal((await start({ origin: app.publicUrl })).status, 200)
  const login = await ask('/v1/session', { method: 'POST', body: { token: me.token }, headers: { origin: 'null' } })
  assert.equal(login.status, 403)
})

test('who signs out is signed out at once, and the token lives on', async () => {
  const me = await member()
  const { cookie } = await signIn(me.token)
  assert.equal((await as(cookie, '/v1/users/me')).status, 200)
  const out = await as(cookie, '/v1/session', { method: 'DELETE' })
  assert.equal(out.status, 204)
  assert.match(String(out.headers.get('set-cookie')), /^runwright_session=; .*Expires=Thu, 01 Jan 1970/)
  assert.equal((await as(cookie, '/v1/users/me')).status, 401)
  assert.equal((await ask('/v1/users/me', { token: me.token })).status, 200)
})

test('a session ends with its token, and with the secret that it was begun with', async () => {
  const me = await member()
  const made = async () =>
    (await ask(`${me.path}/tokens`, { method: 'POST', token: me.token, body: { name: 'b' } })).body
  const [rotated, revoked] = [await made(), await made()]
  const sessions = [await signIn(String(rotated.token)), await signIn(String(revoked.token))]
  const { cookie: own } = await signIn(me.token)
  await as(own, `${me.path}/tokens/${Number(rotated.id)}/rotate`, { method: 'POST' })
  await as(own, `${me.path}/tokens/${Number(revoked.id)}`, { method: 'DELETE' })
  for (const { cookie } of sessions) assert.equal((await as(cookie, '/v1/users/me')).status, 401)
})

test('a token is no cookie, and a cookie no token', async () => {
  const me = await member()
  const { cookie } = await signIn(me.token)
  assert.equal((await as(`runwright_session=${me.token}`, '/v1/users/me')).status, 401)
  assert.equal((await ask('/v1/users/me', { token: cookie.split('=')[1]! })).status, 401)
})

test('sessions that are over are refused, and go', async () => {
  const { cookie } = await signIn((await member()).token)
  const { cookie: other } = await signIn((await member()).token)
  await app.pool.query(
    `update sessions set expires_at = now() where credential_id = (select max(credential_id) from sessions)`,
  )
  assert.equal((await as(other, '/v1/users/me')).status, 401)
  assert.equal(await sweepSessions(app.pool), 1)
  assert.equal((await as(cookie, '/v1/users/me')).status, 200)
})
