import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { openSecretKey } from '#base/secrets/secret-key.ts'
import { Secret } from '#base/secrets/secret.ts'
import { startInstance } from '#domain/accounts/instance/start-instance.ts'
import { createSession } from '#domain/accounts/sessions/create-session.ts'
import { findSessionOwner } from '#domain/accounts/sessions/find-session-owner.ts'
import { revokeSession } from '#domain/accounts/sessions/revoke-session.ts'
import { one, rows } from '#db/pool.ts'
import { makeOrganization, makeToken } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { countStaleTokens } from './count-stale-tokens.ts'
import { createStreamTicket } from './create-stream-ticket.ts'
import { findPrincipal } from './find-principal.ts'
import { findTicketOwner } from './find-ticket-owner.ts'
import { rotateToken } from './rotate-token.ts'
import { spendStreamTicket } from './spend-stream-ticket.ts'
import { openTokenKeys } from './token-keys.ts'

const db = await testDb()
const keyOf = (text: string) => openSecretKey({ secretKey: new Secret(text), dataDir: '/nonexistent' })
const [old, young] = [keyOf('the old key'), keyOf('the new key')]
/** As processes have them, in the order in which they are given; none remembers what it has seen. */
const withOld = () => openTokenKeys({ key: old, previous: null, next: null }, systemClock)
const withNext = () => openTokenKeys({ key: old, previous: null, next: young }, systemClock)
const withPrevious = () => openTokenKeys({ key: young, previous: old, next: null }, systemClock)
const withNew = () => openTokenKeys({ key: young, previous: null, next: null }, systemClock)

async function makeOwner() {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const secret = await makeToken(db, withOld(), { organizationId, userId })
  const principal = await findPrincipal(db, withOld(), secret)
  assert.ok(principal)
  return { organizationId, userId, secret, credentialId: principal.credentialId }
}

test('a token is good in every process while the key is changed, and without the old key once it was used with both', async () => {
  const { secret } = await makeOwner()
  assert.ok(await findPrincipal(db, withNext(), secret))
  assert.equal(await findPrincipal(db, withNew(), secret), undefined)
  assert.ok(await findPrincipal(db, withPrevious(), secret))
  for (const keys of [withNew(), withPrevious(), withNext(), withNew()])
    assert.ok(await findPrincipal(db, keys, secret))
  assert.equal(await findPrincipal(db, withOld(), secret), undefined)
})

test('one that is made by a process with the new key is good where it is the next one, and stays as it is', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const secret = await makeToken(db, withPrevious(), { organizationId, userId })
  assert.ok(await findPrincipal(db, withNext(), secret))
  assert.ok(await findPrincipal(db, withNew(), secret))
})

test('sessions and tickets go on; a session outlives the old key once it was used', async () => {
  const { organizationId, secret, credentialId } = await makeOwner()
  const session = await createSession(db, withOld(), { credentialId })
  const other = await createSession(db, withOld(), { credentialId })
  const ticket = await createStreamTicket(db, withOld(), { organizationId, credentialId })
  assert.ok(await findSessionOwner(db, withPrevious(), session.secret))
  assert.ok(await findPrincipal(db, withPrevious(), secret))
  assert.ok(await findSessionOwner(db, withNext(), session.secret))
  assert.ok(await findSessionOwner(db, withNew(), session.secret))
  assert.ok(await findTicketOwner(db, withPrevious(), ticket.secret))
  assert.equal(await spendStreamTicket(db, withPrevious(), ticket.secret), true)
  assert.equal(await spendStreamTicket(db, withOld(), ticket.secret), false)
  await revokeSession(db, withPrevious(), other.secret)
  assert.equal(await findSessionOwner(db, withOld(), other.secret), undefined)
})

test('another secret ends the sessions as before, whichever key they are of', async () => {
  const { organizationId, secret, credentialId } = await makeOwner()
  const session = await createSession(db, withOld(), { credentialId })
  assert.ok(await findPrincipal(db, withPrevious(), secret))
  await rotateToken(db, withPrevious(), {
    organizationId,
    tokenId: credentialId,
    userId: null,
    scopesMax: ['read', 'run', 'manage', 'admin'],
  })
  assert.equal(await findSessionOwner(db, withPrevious(), session.secret), undefined)
  assert.equal(await findPrincipal(db, withPrevious(), secret), undefined)
})

test('tokens that depend on the old key are counted until they are used, ended or given another secret', async () => {
  const before = await countStaleTokens(db, withPrevious())
  const [used, unused] = [await makeOwner(), await makeOwner()]
  assert.equal(await countStaleTokens(db, withPrevious()), before + 2)
  await Promise.all([1, 2, 3].map(() => findPrincipal(db, withPrevious(), used.secret)))
  assert.equal(await countStaleTokens(db, withPrevious()), before + 1)
  await db.query('update credentials set revoked_at = now() where id = $1', [unused.credentialId])
  assert.equal(await countStaleTokens(db, withPrevious()), before)
})

test('the operator’s token stays one credential, in whatever order processes start with both keys', async () => {
  const first = await testDb()
  const adminToken = 'the operator says the magic words'
  const start = async (keys: ReturnType<typeof withOld>) => {
    await startInstance(first, keys, { adminToken })
    assert.ok(await findPrincipal(first, keys, adminToken))
  }
  for (const keys of [withOld(), withNext(), withPrevious(), withNext(), withPrevious(), withNew()]) await start(keys)
  assert.equal((await rows(first, 'select id from credentials')).length, 1)
  const { keyMark } = await one<{ keyMark: Buffer }>(first, 'select key_mark from credentials')
  assert.deepEqual(keyMark, withNew().mark)
})
