import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { rows } from '#db/pool.ts'
import { findPrincipal } from '#domain/accounts/tokens/find-principal.ts'
import { makeOrganization, makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { createMember } from './create-member.ts'
import { removeMember } from './remove-member.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })

test('the tokens of a removed member end at once, those of other organizations stay', async () => {
  const [{ id: organizationId }, other] = [await makeOrganization(db), await makeOrganization(db)]
  const { id: userId, email } = await makeUser(db, { organizationId })
  await createMember(db, { organizationId: other.id, role: 'MEMBER', email, fullName: null })
  const here = await makeToken(db, keys, { organizationId, userId })
  const there = await makeToken(db, keys, { organizationId: other.id, userId })
  assert.ok((await findPrincipal(db, keys, here)) && (await findPrincipal(db, keys, there)))
  await removeMember(db, keys, { organizationId, userId })
  assert.equal(await findPrincipal(db, keys, here), undefined)
  assert.ok(await findPrincipal(db, keys, there))
})

test('who is invited again is not let in by an old token', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const { id: userId, email } = await makeUser(db, { organizationId })
  const secret = await makeToken(db, keys, { organizationId, userId })
  await removeMember(db, keys, { organizationId, userId })
  assert.equal((await createMember(db, { organizationId, role: 'MEMBER', email, fullName: null })).id, userId)
  assert.equal(await findPrincipal(db, keys, secret), undefined)
})

test('a token that is made while its owner is removed does not outlive the removal', async () => {
  for (let round = 0; round < 10; round++) {
    const { id: organizationId } = await makeOrganization(db)
    const { id: userId } = await makeUser(db, { organizationId })
    await Promise.allSettled([
      makeToken(db, keys, { organizationId, userId }),
      removeMember(db, keys, { organizationId, userId }),
      makeToken(db, keys, { organizationId, userId }),
    ])
    const alive = await rows(db, 'select id from credentials where user_id = $1 and revoked_at is null', [userId])
    assert.deepEqual(alive, [])
  }
})
