import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { startInstance } from '#domain/accounts/instance/start-instance.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { findPrincipal } from './find-principal.ts'
import { listTokens } from './list-tokens.ts'
import { revokeToken } from './revoke-token.ts'
import { isTokenText } from './token-text.ts'

const db = await testDb()
let now = new Date('2026-01-01T00:00:00Z')
const clock = { now: () => now }
const later = (ms: number) => (now = new Date(now.getTime() + ms))

/** A database that must not be asked. */
const unasked = { query: () => assert.fail('the database was asked') } as unknown as typeof db

test('a token speaks for its user, in its organization', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const principal = await findPrincipal(db, keys, secret)
  assert.partialDeepStrictEqual(principal, { userId: adminId, organizationId, isInstanceAdmin: false, kind: 'token' })
})

test('the database holds nothing that could be used as a token', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const stored = JSON.stringify(await rows(db, 'select *, encode(digest, $1) as hex from credentials', ['hex']))
  assert.ok(!stored.includes(secret.slice(8, -4)))
})

test('a mistyped token is refused without a look at the database', async () => {
  const keys = makeTokenKeys({ clock, adminToken: 'the operator says the magic words' })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const other = secret.at(-1) === 'a' ? 'b' : 'a'
  for (const wrong of [
    `${secret.slice(0, -1)}${other}`,
    secret.slice(0, -1),
    `${secret}a`,
    secret.toUpperCase(),
    '',
    'x'.repeat(40),
  ]) {
    assert.equal(isTokenText(wrong), false)
    assert.equal(await findPrincipal(unasked, keys, wrong), undefined)
  }
})

test('a token that was good a moment ago needs no look at the database, for a second', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const principal = await findPrincipal(db, keys, secret)
  later(900)
  assert.deepEqual(await findPrincipal(unasked, keys, secret), principal)
  later(101)
  await assert.rejects(findPrincipal(unasked, keys, secret), /the database was asked/)
})

test('a revoked token ends at once here, and within a second in other processes', async () => {
  const [here, there] = [makeTokenKeys({ clock }), makeTokenKeys({ clock })]
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, here, { organizationId, userId: adminId })
  const principal = await findPrincipal(db, here, secret)
  assert.ok(principal && (await findPrincipal(db, there, secret)))
  await revokeToken(db, here, { organizationId, tokenId: principal.credentialId, userId: null })
  assert.equal(await findPrincipal(db, here, secret), undefined)
  later(1_001)
  assert.equal(await findPrincipal(db, there, secret), undefined)
})

test('an expired token is refused from that moment on', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, {
    organizationId,
    userId: adminId,
    expiresAt: new Date(now.getTime() + 500),
  })
  later(499)
  assert.ok(await findPrincipal(db, keys, secret))
  later(1)
  assert.equal(await findPrincipal(db, keys, secret), undefined)
})

test('the last use of a token is written, at most once a minute', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const lastUse = async () =>
    (await listTokens(db, { organizationId, userId: adminId, skip: 0, limit: 1 })).items[0]?.lastUsedAt
  assert.equal(await lastUse(), null)
  await findPrincipal(db, keys, secret)
  const first = now
  assert.deepEqual(await lastUse(), first)
  later(59_999)
  await findPrincipal(db, keys, secret)
  assert.deepEqual(await lastUse(), first)
  later(1_001)
  await findPrincipal(db, keys, secret)
  assert.deepEqual(await lastUse(), now)
})

test('a member sees and ends own tokens only', async () => {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId } = await makeOrganization(db)
  const grace = await makeUser(db, { organizationId })
  const secret = await makeToken(db, keys, { organizationId, userId: adminId })
  const principal = await findPrincipal(db, keys, secret)
  assert.ok(principal)
  assert.equal((await listTokens(db, { organizationId, userId: grace.id, skip: 0, limit: 9 })).total, 0)
  const revocation = revokeToken(db, keys, { organizationId, tokenId: principal.credentialId, userId: grace.id })
  await assert.rejects(revocation, { code: 'token_not_found' })
})

test('the first start makes the admin of organization 1; later ones change nothing', async () => {
  const first = await testDb()
  const adminToken = 'the operator says the magic words'
  const keys = makeTokenKeys({ clock, adminToken })
  const starts = await Promise.all(Array.from({ length: 4 }, () => startInstance(first, keys, { adminToken })))
  assert.equal(starts.filter((start) => start.made).length, 1)
  assert.deepEqual(await rows(first, 'select id::int from organizations'), [{ id: 1 }])
  assert.deepEqual(await rows(first, 'select organization_id::int, role from memberships'), [
    { organizationId: 1, role: 'ADMIN' },
  ])
  assert.partialDeepStrictEqual(await findPrincipal(first, keys, adminToken), {
    organizationId: null,
    isInstanceAdmin: true,
  })
})

test('another admin token takes the place of the old one', async () => {
  const first = await testDb()
  const [before, after] = ['the operator says the magic words', 'the operator says some other words']
  await startInstance(first, makeTokenKeys({ clock, adminToken: before }), { adminToken: before })
  const keys = makeTokenKeys({ clock, adminToken: after })
  assert.deepEqual(await startInstance(first, keys, { adminToken: after }), { made: false })
  assert.ok(await findPrincipal(first, keys, after))
  assert.equal(await findPrincipal(first, makeTokenKeys({ clock, adminToken: before }), before), undefined)
})
