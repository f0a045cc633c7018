import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { SecretBox } from '#base/secrets/secret-box.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { findLostSecrets } from './find-lost-secrets.ts'
import { forgetSecrets } from './forget-secrets.ts'
import { listRunSecrets } from '#domain/runs/redaction/list-run-secrets.ts'
import { renewDataKeys } from './renew-data-keys.ts'
import { saveSecret } from './save-secret.ts'

const db = await testDb()
const newBox = () => new SecretBox(randomBytes(32))

async function makeSecret(box: SecretBox) {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const save = (withBox: SecretBox) =>
    saveSecret(db, withBox, { organizationId, repoId: null, name: 'TOKEN', value: 'a value of its own' })
  await save(box)
  const run = await makeRun(db, { organizationId, userId })
  const read = async (withBox: SecretBox) =>
    (await listRunSecrets(db, withBox, { organizationId, runId: run.id }))[0]?.value
  return { organizationId, save, read }
}

test('with both secret keys at hand what the old one has sealed is sealed anew, and the old one opens it no more', async () => {
  const [oldKey, key] = [randomBytes(32), randomBytes(32)]
  const [old, box] = [new SecretBox(oldKey), new SecretBox(key)]
  const [first, second] = [await makeSecret(old), await makeSecret(box)]
  assert.equal(await renewDataKeys(db, new SecretBox(key, { previous: oldKey })), 1)
  for (const { read } of [first, second]) assert.equal(await read(box), 'a value of its own')
  await assert.rejects(first.read(old), /sealed with another secret key/)
  assert.equal(await renewDataKeys(db, box), 0)
  assert.deepEqual(await findLostSecrets(db, box), [])
  await forgetSecrets(db, { organizationIds: [first.organizationId, second.organizationId] })
})

test('with a wrong secret key it is said whose secrets cannot be read, and nothing is changed', async () => {
  const box = newBox()
  const { organizationId, read } = await makeSecret(box)
  const wrong = new SecretBox(randomBytes(32), { previous: randomBytes(32), next: randomBytes(32) })
  assert.deepEqual(await findLostSecrets(db, wrong), [organizationId])
  assert.equal(await renewDataKeys(db, wrong), 0)
  assert.equal(await read(box), 'a value of its own')
  await forgetSecrets(db, { organizationIds: [organizationId] })
})

test('secrets whose key is lost can be forgotten, and kept anew', async () => {
  const box = newBox()
  const { organizationId, save, read } = await makeSecret(newBox())
  await assert.rejects(save(box), /sealed with another secret key/)
  await forgetSecrets(db, { organizationIds: [organizationId] })
  assert.equal(await read(box), undefined)
  await save(box)
  assert.equal(await read(box), 'a value of its own')
})
