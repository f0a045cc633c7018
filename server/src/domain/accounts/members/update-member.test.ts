import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { one } from '#db/pool.ts'
import { makeOrganization, makeTokenKeys, makeUser } from '#test/make.ts'
import { getUser } from '#domain/accounts/users/get-user.ts'
import { testDb } from '#test/test-db.ts'
import { createMember } from './create-member.ts'
import { removeMember } from './remove-member.ts'
import { updateMember } from './update-member.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })

const countAdmins = async (organizationId: number) =>
  (
    await one<{ n: number }>(
      db,
      `select count(*) as n from memberships where organization_id = $1 and role = 'ADMIN'`,
      [organizationId],
    )
  ).n

test('a member is given another role, and taken it away again', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const { id: userId } = await makeUser(db, { organizationId })
  assert.equal((await updateMember(db, { organizationId, userId, role: 'ADMIN' })).role, 'ADMIN')
  assert.equal((await updateMember(db, { organizationId, userId, role: 'MANAGER' })).role, 'MANAGER')
})

test('the last ADMIN stays one, and stays', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await makeUser(db, { organizationId, role: 'MANAGER' })
  await assert.rejects(updateMember(db, { organizationId, userId, role: 'MEMBER' }), { code: 'last_admin' })
  await assert.rejects(removeMember(db, keys, { organizationId, userId }), { code: 'last_admin' })
  assert.equal((await updateMember(db, { organizationId, userId, role: 'ADMIN' })).role, 'ADMIN')
})

test('when all ADMINs leave at once, one of them cannot', async () => {
  for (let round = 0; round < 5; round++) {
    const { id: organizationId, adminId } = await makeOrganization(db)
    const others = await Promise.all(Array.from({ length: 5 }, () => makeUser(db, { organizationId, role: 'ADMIN' })))
    const leaving = [adminId, ...others.map(({ id }) => id)].map((userId, n) =>
      n % 2
        ? removeMember(db, keys, { organizationId, userId })
        : updateMember(db, { organizationId, userId, role: 'MEMBER' }),
    )
    const ends = await Promise.allSettled(leaving)
    const refused = ends.filter((end) => end.status === 'rejected')
    assert.deepEqual(
      refused.map((end) => (end.reason as { code: string }).code),
      ['last_admin'],
    )
    assert.equal(await countAdmins(organizationId), 1)
  }
})

test('who is no member has no role to change', async () => {
  const [{ id: organizationId }, other] = [await makeOrganization(db), await makeOrganization(db)]
  const refused = { code: 'user_not_found' }
  await assert.rejects(updateMember(db, { organizationId, userId: other.adminId, role: 'ADMIN' }), refused)
  await assert.rejects(updateMember(db, { organizationId, userId: other.adminId, role: 'MEMBER' }), refused)
  await assert.rejects(removeMember(db, keys, { organizationId, userId: other.adminId }), refused)
  assert.equal(await countAdmins(other.id), 1)
})

test('a member is somebody on GitHub, whom no other member can be', async () => {
  const { id: organizationId } = await makeOrganization(db)
  const { id: userId } = await makeUser(db, { organizationId })
  const { id: another } = await makeUser(db, { organizationId })
  const github = { id: '583231', login: 'octocat' }
  assert.deepEqual((await updateMember(db, { organizationId, userId, github })).github, github)
  await assert.rejects(updateMember(db, { organizationId, userId: another, github }), { code: 'conflict' })
  const renamed = { ...github, login: 'octodog' }
  assert.deepEqual((await updateMember(db, { organizationId, userId, github: renamed })).github, renamed)
  assert.equal((await updateMember(db, { organizationId, userId, github: null })).github, null)
  assert.deepEqual((await updateMember(db, { organizationId, userId: another, github })).github, github)
})

test('who somebody is on GitHub is known to one organization alone', async () => {
  const [here, there] = [await makeOrganization(db), await makeOrganization(db)]
  const { id: userId, email } = await makeUser(db, { organizationId: here.id })
  await createMember(db, { organizationId: there.id, role: 'MEMBER', email, fullName: null })
  const github = { id: '583231', login: 'octocat' }
  await updateMember(db, { organizationId: here.id, userId, github })
  assert.equal((await getUser(db, { organizationId: there.id, userId })).github, null)
  await removeMember(db, keys, { organizationId: here.id, userId })
  const { id: other } = await makeUser(db, { organizationId: here.id })
  assert.deepEqual((await updateMember(db, { organizationId: here.id, userId: other, github })).github, github)
})
