import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes, type Scope } from '#domain/accounts/users/roles.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { createToken } from './create-token.ts'
import { findPrincipal } from './find-principal.ts'
import { rotateToken } from './rotate-token.ts'

const db = await testDb()
let now = new Date('2026-01-01T00:00:00Z')
const clock = { now: () => now }
const later = (ms: number) => (now = new Date(now.getTime() + ms))
const scopesMax = [...scopes]

async function makeRotatable(options: { scopes?: Scope[]; expiresAt?: Date } = {}) {
  const keys = makeTokenKeys({ clock })
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const secret = await makeToken(db, keys, { organizationId, userId, ...options })
  const principal = await findPrincipal(db, keys, secret)
  assert.ok(principal)
  return { keys, organizationId, userId, secret, tokenId: principal.credentialId }
}

test('a rotated token keeps its id, name and scopes; its old secret ends here at once, elsewhere within a second', async () => {
  const { keys, organizationId, userId, secret, tokenId } = await makeRotatable({ scopes: ['run'] })
  const elsewhere = makeTokenKeys({ clock })
  assert.ok(await findPrincipal(db, elsewhere, secret))
  const rotated = await rotateToken(db, keys, { organizationId, tokenId, userId, scopesMax })
  assert.partialDeepStrictEqual(rotated.token, { id: tokenId, name: 'test', scopes: ['read', 'run'] })
  assert.equal(await findPrincipal(db, keys, secret), undefined)
  assert.equal((await findPrincipal(db, elsewhere, rotated.secret))?.credentialId, tokenId)
  later(1_000)
  assert.equal(await findPrincipal(db, elsewhere, secret), undefined)
})

test('many rotations at once leave one good secret', async () => {
  const { keys, organizationId, userId, tokenId } = await makeRotatable()
  const rotations = await Promise.all(
    Array.from({ length: 8 }, () => rotateToken(db, keys, { organizationId, tokenId, userId, scopesMax })),
  )
  later(1_000)
  const good = await Promise.all(rotations.map(({ secret }) => findPrincipal(db, keys, secret)))
  assert.equal(good.filter(Boolean).length, 1)
})

test('a token hands out no secret of one that is wider than itself', async () => {
  const { keys, organizationId, userId, tokenId, secret } = await makeRotatable()
  const narrow = rotateToken(db, keys, { organizationId, tokenId, userId, scopesMax: ['read', 'run', 'manage'] })
  await assert.rejects(narrow, { code: 'forbidden' })
  assert.ok(await findPrincipal(db, keys, secret))
})

test('a token makes none that is wider than itself', async () => {
  const { keys, organizationId, userId } = await makeRotatable()
  const create = (request: Scope[] | null, most: Scope[]) =>
    createToken(db, keys, { organizationId, userId, name: 'made', scopes: request, scopesMax: most, expiresAt: null })
  await assert.rejects(create(['admin'], ['read', 'run', 'manage']), { code: 'forbidden' })
  assert.deepEqual((await create(null, ['read', 'run', 'manage'])).token.scopes, ['read', 'run', 'manage'])
  assert.deepEqual((await create(['run'], scopesMax)).token.scopes, ['read', 'run'])
})

test('without a word about scopes a token may all that its owner’s role may', async () => {
  const { keys, organizationId } = await makeRotatable()
  const { id: userId } = await makeUser(db, { organizationId })
  const principal = await findPrincipal(db, keys, await makeToken(db, keys, { organizationId, userId }))
  assert.deepEqual(principal?.scopes, ['read', 'run', 'manage'])
})

test('an expired token is not rotated, nor one that was revoked or is somebody else’s', async () => {
  const expiring = await makeRotatable({ expiresAt: new Date(now.getTime() + 100) })
  later(100)
  await assert.rejects(rotateToken(db, expiring.keys, { ...expiring, scopesMax }), { code: 'conflict' })
  const { keys, organizationId, userId, tokenId } = await makeRotatable()
  const refused = { code: 'token_not_found' }
  const other = await makeOrganization(db)
  await assert.rejects(rotateToken(db, keys, { organizationId: other.id, tokenId, userId: null, scopesMax }), refused)
  const ofOther = rotateToken(db, keys, { organizationId, tokenId, userId: other.adminId, scopesMax })
  await assert.rejects(ofOther, refused)
  await db.query('update credentials set revoked_at = now() where id = $1', [tokenId])
  await assert.rejects(rotateToken(db, keys, { organizationId, tokenId, userId, scopesMax }), refused)
})
