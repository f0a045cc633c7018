import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openOpenId } from '#adapters/identities/open-id.ts'
import { systemClock } from '#base/clock.ts'
import { limits } from '#base/limits.ts'
import { Browser } from '#test/browser.ts'
import { makeOrganization, makeUser, unique } from '#test/make.ts'
import { openIdServer } from '#test/open-id-server.ts'
import { testApp } from '#test/test-app.ts'

const provider = await openIdServer()
const { app, ask, url, member } = await testApp({
  env: {
    RUNWRIGHT_OIDC_ISSUER: provider.issuer,
    RUNWRIGHT_OIDC_CLIENT_ID: provider.clientId,
    RUNWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
    RUNWRIGHT_OIDC_EMAIL_DOMAINS: 'example.com, example.org',
  },
})
const returnUrl = `${url}/auth/oidc/callback`
provider.register(returnUrl)
beforeEach(() => {
  Object.assign(provider, { state: 'here', lie: null, signsWith: 'its key' })
  Object.assign(app, { clock: systemClock })
  Object.assign(app.config.openId!, { organizationId: null })
})

/** Somebody at the provider whose address is a member's here. */
async function someone() {
  const subject = unique('subject')
  const { organizationId, path } = await member()
  const email = `${unique('Grace')}@example.com`
  const { id: userId } = await makeUser(app.pool, { organizationId, email })
  provider.people[subject] = { email, email_verified: true, name: 'Grace Hopper' }
  return { subject, userId, email, path, organizationId }
}

/** From the button to the address that the provider sends the browser back to, which it does not follow yet. */
async function comeBack(subject: string, { browser = new Browser(), next = '', change = (begin: URL) => begin } = {}) {
  const begin = await browser.go(`${url}/auth/oidc${next && `?next=${encodeURIComponent(next)}`}`, {
    until: provider.issuer,
  })
  const asked = change(new URL(begin.url))
  return { browser, asked, back: await signInThere(browser, { at: asked, subject }) }
}

/** At the provider; answers where it sends the browser back to. */
async function signInThere(browser: Browser, { at, subject }: { at: URL; subject: string }): Promise<URL> {
  const login = await browser.go(at.href)
  const consent = await browser.go(login.url, { form: { prompt: 'login', login: subject, password: 'any' } })
  const back = await browser.go(consent.url, { form: { prompt: 'consent' }, until: returnUrl })
  return new URL(back.url)
}

const faultOf = ({ url }: { url: string }) => new URL(url).searchParams.get('fault')

async function isSignedIn(browser: Browser): Promise<boolean> {
  const session = browser.cookies.get('runwright_session')
  if (!session) return false
  return (await asked(session, '/v1/users/me')).status === 200
}

const asked = (session: string, path: string, method = 'GET') =>
  ask(path, { method, headers: { cookie: `runwright_session=${session}`, 'sec-fetch-site': 'same-origin' } })

/** Comes back with something that must not be believed, and is told so at the sign-in page. */
async function isRefused(subject: string, fault: string, change?: (begin: URL) => URL): Promise<void> {
  const { browser, back } = await comeBack(subject, { ...(change && { change }) })
  const place = await browser.go(back.href)
  assert.equal(new URL(place.url).pathname, '/sign-in')
  assert.equal(faultOf(place), fault)
  assert.equal(browser.cookies.has('runwright_session'), false)
}

test('a provider that is away is told, whether it fails or is gone, and tokens are good as before', async () => {
  for (const state of ['failing', 'gone'] as const) {
    provider.state = state
    const place = await new Browser().go(`${url}/auth/oidc?next=/runs/1`)
    assert.equal(faultOf(place), 'unavailable', state)
    assert.equal(new URL(place.url).searchParams.get('next'), '/runs/1')
  }
  const me = await member()
  const signedIn = await ask('/v1/session', {
    method: 'POST',
    body: { token: me.token },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(signedIn.status, 201)
})

test('the sign-in page is told how people sign in here', async () => {
  const ways = await ask('/v1/sign-in-ways')
  assert.deepEqual(ways.body, {
    token: true,
    oidc: { name: new URL(provider.issuer).host, url: `${url}/auth/oidc` },
  })
})

test('a member signs in at the provider, comes to the page that the link named, and signs out', async () => {
  const { subject, userId, path, organizationId } = await someone()
  const { browser, asked: begin, back } = await comeBack(subject, { next: `/runs/${organizationId}?show=mine` })
  assert.equal(begin.searchParams.get('redirect_uri'), returnUrl)
  assert.equal(begin.searchParams.get('code_challenge_method'), 'S256')
  assert.equal(begin.searchParams.get('response_type'), 'code')
  const response = await fetch(back, { redirect: 'manual', headers: cookiesOf(browser) })
  assert.equal(response.headers.get('location'), `${url}/runs/${organizationId}?show=mine`)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const [forgotten, set] = response.headers.getSetCookie()
  assert.match(String(forgotten), /^runwright_sign_in=; .*Max-Age=0/)
  assert.match(String(set), /^runwright_session=rws_\w+; Path=\/; HttpOnly; SameSite=Strict; /)
  const session = /=(\w+)/.exec(String(set))![1]!
  assert.equal((await asked(session, '/v1/users/me')).body.id, userId)
  assert.equal((await asked(session, `${path}/agent/runs`)).status, 200)
  assert.equal((await asked(session, (await member()).path)).status, 403)
  assert.equal((await asked(session, '/v1/session', 'DELETE')).status, 204)
  assert.equal((await asked(session, '/v1/users/me')).status, 401)
})

const cookiesOf = ({ cookies }: Browser) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
})

test('what was begun is kept where nobody reads it, and no script', async () => {
  const response = await fetch(`${url}/auth/oidc`, { redirect: 'manual' })
  const [set] = response.headers.getSetCookie()
  assert.match(String(set), /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
  const state = new URL(response.headers.get('location')!).searchParams.get('state')!
  const kept = Buffer.from(/=([\w-]+)/.exec(String(set))![1]!, 'base64url')
  assert.ok(!kept.includes(state))
})

test('from the first time on the subject counts, not the address', async () => {
  const { subject, userId, email, organizationId } = await someone()
  const { browser, back } = await comeBack(subject)
  await browser.go(back.href)
  assert.ok(await isSignedIn(browser))
  // Another address, which is another person's here, is still who signed in before.
  const other = await makeUser(app.pool, { organizationId })
  provider.people[subject] = { email: other.email!, email_verified: true }
  const again = await comeBack(subject)
  await again.browser.go(again.back.href)
  const me = await asked(again.browser.cookies.get('runwright_session')!, '/v1/users/me')
  assert.equal(me.body.id, userId)
  // And who is given the first address later is not that person.
  const heir = unique('heir')
  provider.people[heir] = { email, email_verified: true }
  await isRefused(heir, 'account_bound')
})

test('two who come at once for the first time as the same person both come in', async () => {
  const { subject } = await someone()
  const both = [await comeBack(subject), await comeBack(subject)]
  await Promise.all(both.map(({ browser, back }) => browser.go(back.href)))
  for (const { browser } of both) assert.ok(await isSignedIn(browser))
})

test('an address that was not verified, none, one of elsewhere, and one that nobody has here are refused', async () => {
  const { subject, email } = await someone()
  provider.people[subject] = { email, email_verified: false }
  await isRefused(subject, 'email_unverified')
  provider.people[subject] = { email }
  await isRefused(subject, 'email_unverified')
  provider.people[subject] = { email_verified: true }
  await isRefused(subject, 'email_unverified')
  for (const domain of ['elsewhere.com', 'sub.example.com', 'example.com.evil.com', 'notexample.com']) {
    provider.people[subject] = { email: `grace@${domain}`, email_verified: true }
    await isRefused(subject, 'domain_not_allowed')
  }
  provider.people[subject] = { email: `${unique('nobody')}@example.org`, email_verified: true }
  await isRefused(subject, 'no_account')
})

test('who is not known yet joins the organization that the operator named, once', async () => {
  const { id: organizationId } = await makeOrganization(app.pool)
  Object.assign(app.config.openId!, { organizationId })
  const subject = unique('subject')
  provider.people[subject] = { email: `${unique('New')}@EXAMPLE.org`, email_verified: true, name: 'New Comer' }
  const { browser, back } = await comeBack(subject)
  await browser.go(back.href)
  const me = await asked(browser.cookies.get('runwright_session')!, '/v1/users/me')
  assert.partialDeepStrictEqual(me.body, { full_name: 'New Comer', role: 'MEMBER', is_admin: false })
  // Whom an ADMIN has taken out stays out.
  await app.pool.query('delete from memberships where user_id = $1', [me.body.id])
  await isRefused(subject, 'no_account')
  // Nor does anybody join one that is not there.
  Object.assign(app.config.openId!, { organizationId: 999_999_999 })
  const other = unique('subject')
  provider.people[other] = { email: `${unique('new')}@example.org`, email_verified: true }
  await isRefused(other, 'no_account')
})

test('a provider may say in its token who somebody is', async () => {
  const { subject, email } = await someone()
  provider.people[subject] = {}
  provider.lie = (claims) => ({ ...claims, email, email_verified: true })
  const { browser, back } = await comeBack(subject)
  await browser.go(back.href)
  assert.ok(await isSignedIn(browser))
})

test('a forged, a missing and an old state are refused', async () => {
  const { subject } = await someone()
  const { browser, back } = await comeBack(subject)
  const forged = new URL(back)
  forged.searchParams.set('state', 'A'.repeat(43))
  assert.equal(faultOf(await browser.go(forged.href)), 'refused')
  // Once answered, what was begun is over.
  assert.equal(faultOf(await browser.go(back.href)), 'expired')
  // Of another browser: who is sent such a link does not become somebody else.
  const { back: foreign } = await comeBack(subject)
  assert.equal(faultOf(await new Browser().go(foreign.href)), 'expired')
  const late = await comeBack(subject)
  Object.assign(app, { clock: { now: () => new Date(Date.now() + limits.signInMs) } })
  assert.equal(faultOf(await late.browser.go(late.back.href)), 'expired')
  const torn = await comeBack(subject)
  torn.browser.cookies.set('runwright_sign_in', torn.browser.cookies.get('runwright_sign_in')!.replace(/.{4}$/, 'AAAA'))
  assert.equal(faultOf(await torn.browser.go(torn.back.href)), 'expired')
  for (const { browser } of [late, torn]) assert.equal(browser.cookies.has('runwright_session'), false)
})

test("what a provider vouches for is as old as the service's clock says, whatever this machine's shows", async () => {
  const { subject, email } = await someone()
  const twoHours = 7_200
  const finishAt = async (clock: typeof systemClock) => {
    const identities = openOpenId(app.config.openId!, clock)
    const { url: begin, attempt } = await identities.begin(returnUrl)
    const back = await signInThere(new Browser(), { at: new URL(begin), subject })
    return identities.finish(back, attempt)
  }
  provider.lie = (claims) => ({ ...claims, iat: claims.iat! - twoHours, exp: claims.exp! - twoHours })
  await assert.rejects(finishAt(systemClock), { kind: 'refused' })
  const vouched = await finishAt({ now: () => new Date(Date.now() - twoHours * 1_000) })
  assert.equal(vouched.email, email)
})

test('a code is good once, and only for who began', async () => {
  const { subject } = await someone()
  const { browser, back } = await comeBack(subject)
  const kept = browser.cookies.get('runwright_sign_in')!
  await browser.go(back.href)
  assert.ok(await isSignedIn(browser))
  const replay = new Browser()
  replay.cookies.set('runwright_sign_in', kept)
  assert.equal(faultOf(await replay.go(back.href)), 'refused')
  assert.equal(replay.cookies.has('runwright_session'), false)
  // The code of somebody else under one's own state: the provider holds it to the challenge.
  const [mine, theirs] = [await comeBack(subject), await comeBack(subject)]
  mine.back.searchParams.set('code', theirs.back.searchParams.get('code')!)
  assert.equal(faultOf(await mine.browser.go(mine.back.href)), 'refused')
})

test('a token for another sign-in, from or for somebody else, signed by another key, or expired is refused', async () => {
  const { subject } = await someone()
  await isRefused(subject, 'refused', (begin) => {
    begin.searchParams.set('nonce', 'another')
    return begin
  })
  const lies: (typeof provider.lie)[] = [
    (claims) => ({ ...claims, iss: 'https://evil.example' }),
    (claims) => ({ ...claims, aud: 'another client' }),
    (claims) => ({ ...claims, aud: [provider.clientId, 'another'], azp: 'another' }),
    (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3_600 }),
    (claims) => without(claims, 'nonce'),
    (claims) => without(claims, 'sub'),
    // Whom the token names is not whom the rest is about.
    (claims) => ({ ...claims, sub: 'somebody else' }),
  ]
  for (const lie of lies) {
    provider.lie = lie
    await isRefused(subject, 'refused')
  }
  Object.assign(provider, { lie: null, signsWith: 'another key' })
  await isRefused(subject, 'refused')
  provider.signsWith = 'its key'
  const { browser, back } = await comeBack(subject)
  back.searchParams.set('iss', 'https://evil.example')
  assert.equal(faultOf(await browser.go(back.href)), 'refused')
})

const without = (claims: object, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))

test('who does not want to after all is told so, and a provider that fails meanwhile too', async () => {
  const { subject } = await someone()
  const browser = new Browser()
  const login = await browser.go(`${url}/auth/oidc?next=/runs/7`)
  const place = await browser.go(`${login.url}/abort`)
  assert.equal(faultOf(place), 'denied')
  assert.equal(new URL(place.url).searchParams.get('next'), '/runs/7')
  for (const state of ['failing', 'gone'] as const) {
    provider.state = 'here'
    const { browser, back } = await comeBack(subject)
    provider.state = state
    assert.equal(faultOf(await browser.go(back.href)), 'unavailable', state)
  }
})

test('nobody is led elsewhere', async () => {
  const { subject } = await someone()
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    `${url}.evil.example/`,
    `http://${new URL(url).host}@evil.example/`,
  ]
  for (const next of elsewhere) {
    const { browser, back } = await comeBack(subject, { next })
    const response = await fetch(back, { redirect: 'manual', headers: cookiesOf(browser) })
    assert.equal(new URL(response.headers.get('location')!).origin, url, next)
    assert.match(response.headers.get('location')!, /^http:\/\/127\.0\.0\.1:\d+\/(?!\/)/, next)
  }
})

test('only GET, and only so often from one address', async () => {
  const post = await ask('/auth/oidc/callback', { method: 'POST' })
  assert.equal(post.status, 405)
  assert.match(String(post.headers.get('allow')), /^GET, HEAD/)
  const faults = new Set<string | null>()
  // Twice as often as is let in, so that it does not matter when this minute began.
  for (let n = 0; n < 2 * limits.signInRequestsMax + 1 && !faults.has('too_many'); n++)
    faults.add(faultOf({ url: (await fetch(returnUrl, { redirect: 'manual' })).headers.get('location')! }))
  assert.deepEqual([...faults], ['expired', 'too_many'])
})
