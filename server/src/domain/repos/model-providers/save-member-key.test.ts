import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/secrets/secret.ts'
import { one } from '#db/pool.ts'
import { removeMember } from '#domain/accounts/members/remove-member.ts'
import { makeOrganization, makeSecretBox, makeTokenKeys, makeUser } from '#test/make.ts'
import { systemClock } from '#base/clock.ts'
import { testDb } from '#test/test-db.ts'
import { createModelProvider } from './create-model-provider.ts'
import { listMemberKeys } from './list-member-keys.ts'
import { openModelProviders } from './open-model-providers.ts'
import { removeMemberKey } from './remove-member-key.ts'
import { removeModelProvider } from './remove-model-provider.ts'
import { saveMemberKey } from './save-member-key.ts'
import { updateModelProvider } from './update-model-provider.ts'

const db = await testDb()
const box = makeSecretBox()
const baseUrl = 'https://models.example.com'
const [shared, mine] = ['key-of-the-organization-1', 'key-of-a-member-2']

/** A provider of an organization, and a member who has a key of their own for it. */
async function makeScene() {
  const { id: organizationId } = await makeOrganization(db)
  const [{ id: userId }, { id: otherId }] = [
    await makeUser(db, { organizationId }),
    await makeUser(db, { organizationId }),
  ]
  const provider = await createModelProvider(db, box, {
    organizationId,
    name: 'acme',
    kind: 'openai',
    baseUrl,
    memberKeysOnly: false,
    key: new Secret(shared),
    models: null,
    inputUsd: null,
    outputUsd: null,
  })
  const ids = { organizationId, modelProviderId: provider.id, userId }
  const save = (more: object = {}) => saveMemberKey(db, box, { ...ids, key: new Secret(mine), baseUrl, ...more })
  const open = async (who: number | null = userId) => {
    const { items } = await openModelProviders(db, box, { organizationId, userId: who })
    return items.map(({ apiKey, lacksKey }) => (lacksKey ? 'lacks' : apiKey?.reveal()))
  }
  const count = async () => {
    const text = 'select count(*) as n from member_model_keys where organization_id = $1'
    return (await one<{ n: number }>(db, text, [organizationId])).n
  }
  const change = (changes: object, from: string | null = baseUrl) =>
    updateModelProvider(db, box, { organizationId, modelProviderId: provider.id, from, changes })
  return { ids, otherId, save, open, count, change }
}

test('the key of a member stands in for the organization’s for this member alone, and each version is another one', async () => {
  const { ids, otherId, save, open } = await makeScene()
  const version = async () => (await openModelProviders(db, box, ids)).items[0]?.version
  const versions = [await version()]
  assert.equal((await save()).last4, 'er-2')
  versions.push(await version())
  assert.deepEqual([await open(), await open(otherId), await open(null)], [[mine], [shared], [shared]])
  await save({ key: new Secret('key-of-a-member-3') })
  versions.push(await version())
  assert.deepEqual(await open(), ['key-of-a-member-3'])
  assert.equal(new Set(versions).size, 3)
  assert.equal((await listMemberKeys(db, ids)).get(ids.modelProviderId)?.last4, 'er-3')
  assert.equal((await listMemberKeys(db, { ...ids, userId: otherId })).size, 0)
  await removeMemberKey(db, ids)
  await removeMemberKey(db, ids)
  assert.deepEqual(await open(), [shared])
})

test('a key goes with the address that it is for, with its provider, and with its owner’s membership', async () => {
  const moved = await makeScene()
  await moved.save()
  await moved.change({ models: ['one'] })
  assert.deepEqual(await moved.open(), [mine])
  await moved.change({ baseUrl: 'https://elsewhere.example.com' })
  assert.deepEqual([await moved.open(), await moved.count()], [[shared], 0])
  await assert.rejects(moved.save(), /another address/)

  const removed = await makeScene()
  await removed.save()
  await removeModelProvider(db, removed.ids)
  assert.equal(await removed.count(), 0)

  const left = await makeScene()
  await left.save()
  await removeMember(db, makeTokenKeys({ clock: systemClock }), left.ids)
  assert.deepEqual([await left.open(), await left.count()], [[shared], 0])
  await assert.rejects(left.save(), /Only members/)
})

test('an address that was changed in the database alone is shown no key of a member', async () => {
  const { save, open } = await makeScene()
  await save()
  await db.query('alter table model_providers disable trigger forget_member_keys')
  await db.query(`update model_providers set base_url = 'https://thief.example.com' where base_url = $1`, [baseUrl])
  await db.query('alter table model_providers enable trigger forget_member_keys')
  await assert.rejects(open(), /was changed in the database/)
})

test('where members bring their keys the organization’s is forgotten, and who has none is told so', async () => {
  const { otherId, save, open, change } = await makeScene()
  await save()
  assert.equal((await change({ memberKeysOnly: true })).hasKey, false)
  assert.deepEqual([await open(), await open(otherId)], [[mine], ['lacks']])
  assert.equal((await change({ key: new Secret(shared) })).hasKey, false)
  await change({ memberKeysOnly: false, key: new Secret(shared) })
  assert.deepEqual(await open(otherId), [shared])
})
