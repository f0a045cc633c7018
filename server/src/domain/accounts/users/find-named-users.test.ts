import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { makeOrganization, makeUser, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { findNamedUsers } from './find-named-users.ts'

const db = await testDb()

/** People with these names and addresses, at a domain of their own. */
async function makePeople(people: [name: string, address: string][]) {
  const { id: organizationId, adminId } = await makeOrganization(db)
  await db.query('update users set full_name = null where id = $1', [adminId])
  const domain = `${unique('host')}.example`
  const ids: number[] = []
  for (const [fullName, address] of people) {
    const email = `${address}@${domain}`
    ids.push((await createMember(db, { organizationId, role: 'MEMBER', fullName, email })).id)
  }
  const find = async (...names: string[]) => Object.fromEntries(await findNamedUsers(db, { organizationId, names }))
  return { organizationId, ids, domain, find }
}

test('people are named by address, login on GitHub, first part of the address, or name, in any case', async () => {
  const { organizationId, ids, domain, find } = await makePeople([
    ['Grace Hopper', 'g.hopper'],
    ['Ada', 'ada'],
    ['Ken Thompson', 'kt'],
  ])
  const [grace, ada, ken] = ids
  await db.query(
    `insert into host_accounts (organization_id, host, host_user_id, login, user_id) values ($1, 'github', '7', 'AmazingGrace', $2)`,
    [organizationId, grace],
  )
  const names = [`G.Hopper@${domain}`, '@amazinggrace', '@g.hopper', '@GraceHopper', '@ada', '@kenthompson']
  const found = await find(...names, '@grace', 'ada', '@nobody', '@org/ada', `x@${domain}`)
  assert.deepEqual(found, Object.fromEntries(names.map((name, n) => [name, n < 4 ? grace : n === 4 ? ada : ken])))
})

test('a login on GitHub counts before an address, and that before a name, which people give themselves', async () => {
  const { organizationId, ids, find } = await makePeople([
    ['Ada', 'x'],
    ['Y', 'ada'],
    ['Z', 'z'],
  ])
  assert.deepEqual(await find('@ada'), { '@ada': ids[1] })
  await db.query(
    `insert into host_accounts (organization_id, host, host_user_id, login, user_id) values ($1, 'github', '7', 'ada', $2)`,
    [organizationId, ids[2]],
  )
  assert.deepEqual(await find('@ada'), { '@ada': ids[2] })
})

test('what fits several people, a service account, or people of another organization names nobody', async () => {
  const { organizationId, find } = await makePeople([
    ['Grace', 'a'],
    ['grace', 'b'],
  ])
  await createMember(db, { organizationId, role: 'MEMBER', fullName: 'Formatter', email: null })
  const other = await makeOrganization(db)
  const { email } = await makeUser(db, { organizationId: other.id })
  assert.deepEqual(await find('@grace', '@formatter', email!), {})
  assert.deepEqual(await find(), {})
})
