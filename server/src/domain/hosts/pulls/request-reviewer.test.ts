import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '#db/pool.ts'
import { codeOwnersLimits } from '#domain/hosts/code-owners/limits.ts'
import { makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { getPull } from './get-pull.ts'
import { requestCodeOwners } from './request-code-owners.ts'
import { requestReviewer } from './request-reviewer.ts'

const testing = await testApp()
const { pool: db } = testing.app

async function setScene() {
  const { organizationId, userId, ids } = await makeWorld(testing)
  const pull = { organizationId, pullId: ids['pr_id']! }
  const makePeople = async (count: number) => {
    const people: number[] = []
    for (let n = 0; n < count; n++) people.push((await makeUser(db, { organizationId })).id)
    return people
  }
  const own = (people: number[], pattern = '*') =>
    requestCodeOwners(db, {
      ...pull,
      codeOwners: { path: 'CODEOWNERS', notFound: [], problems: [] },
      owners: people.map((user) => ({ userId: user, pattern })),
    })
  const reviewers = async () => (await getPull(db, pull)).reviewers.map((each) => each.userId)
  const ask = (user: number) => requestReviewer(db, { ...pull, userId: user, by: userId })
  return { ...pull, userId, makePeople, own, reviewers, ask }
}

test('so many owners are asked at the most, those of the first files, however often they are looked for', async () => {
  const { makePeople, own, reviewers } = await setScene()
  const people = await makePeople(codeOwnersLimits.askedMax + 2)
  assert.equal(await own(people.slice(0, 3)), 3)
  assert.equal(await own(people.toReversed()), codeOwnersLimits.askedMax - 3)
  assert.equal(await own(people), 0)
  assert.deepEqual(
    (await reviewers()).toSorted((a, b) => a - b),
    [...people.slice(0, 3), ...people.slice(5)],
  )
})

test('two who look for owners at once ask each of them once', async () => {
  const { organizationId, makePeople, own, reviewers } = await setScene()
  const people = await makePeople(8)
  await Promise.all([own(people), own(people.toReversed()), own(people)])
  assert.equal((await reviewers()).length, 8)
  const asked = await rows(db, `select user_id from notifications where organization_id = $1 and kind = 'review'`, [
    organizationId,
  ])
  assert.equal(asked.length, 8)
})

test('people ask so many reviewers at the most', async () => {
  const { makePeople, ask, own, organizationId, pullId } = await setScene()
  const [one, ...others] = await makePeople(codeOwnersLimits.reviewersMax + 1)
  await own(others.slice(0, 1))
  await db.query(
    `insert into pull_reviewers (organization_id, pull_id, user_id, reason) select $1, $2, u, 'asked' from unnest($3::bigint[]) u
     on conflict do nothing`,
    [organizationId, pullId, others],
  )
  await assert.rejects(ask(one!), { code: 'conflict', message: /has 50 reviewers, which is the most/ })
  await ask(others[0]!)
})

test('who leaves the organization is no reviewer any more, and is asked anew after coming back', async () => {
  const { makePeople, own, reviewers, organizationId } = await setScene()
  const [person] = await makePeople(1)
  await own([person!])
  await db.query('delete from memberships where organization_id = $1 and user_id = $2', [organizationId, person])
  assert.deepEqual(await reviewers(), [])
  assert.equal(await own([person!]), 0, 'somebody else is not asked')
  await db.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'MEMBER')`, [
    organizationId,
    person,
  ])
  assert.equal(await own([person!]), 1)
})

test('an owner who has reviewed before is listed with that, and not told', async () => {
  const { organizationId, pullId, makePeople, own } = await setScene()
  const [person] = await makePeople(1)
  await db.query(
    `insert into pull_reviews (organization_id, pull_id, user_id, verdict, body, head_commit, marker)
     values ($1, $2, $3, 'approve', '', 'x', 'x')`,
    [organizationId, pullId, person],
  )
  await own([person!])
  assert.partialDeepStrictEqual((await getPull(db, { organizationId, pullId })).reviewers, [{ state: 'approved' }])
  assert.deepEqual(
    await rows(db, `select 1 as n from notifications where organization_id = $1 and kind = 'review'`, [organizationId]),
    [],
  )
})
