import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { SecretBox } from '#base/secrets/secret-box.ts'
import { testDb } from '#test/test-db.ts'
import { forgetHostKey } from './forget-host-key.ts'
import { renewHostKey } from './renew-host-key.ts'
import { takeHostKey } from './take-host-key.ts'

const db = await testDb()
const [key, newKey, otherKey] = [1, 2, 3].map(() => randomBytes(32)) as [Buffer, Buffer, Buffer]
const [box, newBox, otherBox] = [new SecretBox(key), new SecretBox(newKey), new SecretBox(otherKey)]
let made = 0
const make = async () => ({ privateKey: `key ${++made}`, fingerprint: `SHA256:${made}` })
const take = (box: SecretBox) => takeHostKey(db, { box, make })

test('of processes that start at once all get the same host key', async () => {
  const taken = await Promise.all(Array.from({ length: 5 }, () => take(box)))
  assert.equal(new Set(taken.map(({ privateKey }) => privateKey)).size, 1)
  assert.deepEqual(await take(box), taken[0])
})

test('it stays the same when the secret key is changed, and the one before is needed once', async () => {
  const before = await take(box)
  await renewHostKey(db, new SecretBox(newKey, { previous: key }))
  assert.deepEqual(await take(newBox), before)
  await assert.rejects(take(box), /RUNWRIGHT_SECRET_KEY_PREVIOUS/)
})

test('one whose secret key is lost is refused, and made anew once it is forgotten', async () => {
  const before = await take(newBox)
  assert.equal(await forgetHostKey(db, newBox), false)
  await renewHostKey(db, otherBox)
  await assert.rejects(take(otherBox), /forget-secrets/)
  assert.equal(await forgetHostKey(db, otherBox), true)
  assert.notDeepEqual(await take(otherBox), before)
})
