import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { openSecretKey, type SecretKey } from '#base/secrets/secret-key.ts'
import { Secret } from '#base/secrets/secret.ts'
import { one } from '#db/pool.ts'
import { startInstance } from '#domain/accounts/instance/start-instance.ts'
import { openTokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import { tokenEnds } from '#domain/accounts/tokens/token-text.ts'
import { testDb } from '#test/test-db.ts'
import { claimKey, setKey } from './claim-key.ts'

const db = await testDb()
const keyOf = (text: string) => openSecretKey({ secretKey: new Secret(text), dataDir: '/nonexistent' })
const [first, second, third] = ['first', 'second', 'third'].map(keyOf) as [SecretKey, SecretKey, SecretKey]
const claim = (key: SecretKey, previous: SecretKey | null = null, next: SecretKey | null = null) =>
  claimKey(db, { key, previous, next })

beforeEach(async () => void (await db.query('delete from key_fingerprint')))

test('the first process makes its key that of the database; one with another is refused and changes nothing', async () => {
  assert.equal(await claim(first), true)
  const before = await one(db, 'select * from key_fingerprint')
  assert.equal(await claim(second), false)
  assert.equal(await claim(second, third), false)
  assert.equal(await claim(first), true)
  assert.deepEqual(await one(db, 'select * from key_fingerprint'), before)
})

test('of processes that start at once with different keys, those with one of the keys start', async () => {
  const keys = Array.from({ length: 10 }, (_, n) => keyOf(`key ${n}`))
  const claims = await Promise.all([...keys, ...keys].map((key) => claim(key)))
  assert.equal(claims.filter(Boolean).length, 2)
})

test('a key is changed by whoever has the one before too, and who still has that alone is refused from then on', async () => {
  await claim(first)
  assert.equal(await claim(second, first), true)
  assert.equal(await claim(first), false)
  assert.equal(await claim(second, first), true)
  assert.equal(await claim(second), true)
})

test('who knows the new key as the next one starts after it was changed too, and does not change it back', async () => {
  await claim(first)
  assert.equal(await claim(first, null, second), true)
  assert.equal(await claim(second, first), true)
  assert.equal(await claim(first, null, second), true)
  assert.equal(await claim(first), false)
  assert.equal(await claim(second), true)
})

test('where the key is lost, the operator says that another is the right one', async () => {
  await claim(first)
  await setKey(db, second)
  assert.equal(await claim(second), true)
  assert.equal(await claim(first), false)
})

test('what is kept says nothing of the key, and is another in each database', async () => {
  await claim(first)
  const kept = await one<{ salt: Buffer; digest: Buffer }>(db, 'select salt, digest from key_fingerprint')
  for (const purpose of ['tokens', 'secrets', 'canaries', 'fingerprint'] as const)
    assert.notDeepEqual(kept.digest, first.derive(purpose))
  await db.query('delete from key_fingerprint')
  await claim(first)
  assert.notDeepEqual(await one(db, 'select salt, digest from key_fingerprint'), kept)
})

test('a database of before there were fingerprints is known by its admin token', async () => {
  const text = 'the operator of an older version'
  await startInstance(db, openTokenKeys({ key: first, previous: null, next: null }, systemClock), { adminToken: text })
  const adminToken = { text, ends: tokenEnds(text) }
  assert.equal(await claimKey(db, { key: second, previous: null, next: null, adminToken }), false)
  const changed = {
    text: 'another token, which was changed as well',
    ends: tokenEnds('another token, which was changed as well'),
  }
  assert.equal(await claimKey(db, { key: second, previous: first, next: null, adminToken }), true)
  await db.query('delete from key_fingerprint')
  assert.equal(await claimKey(db, { key: first, previous: null, next: null, adminToken }), true)
  await db.query('delete from key_fingerprint')
  assert.equal(await claimKey(db, { key: second, previous: null, next: null, adminToken: changed }), true)
})
