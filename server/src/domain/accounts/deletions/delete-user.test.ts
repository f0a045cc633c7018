import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { findInDatabase } from '#test/find-canary.ts'
import { makeRun } from '#test/make-run.ts'
import { makeToken, unique } from '#test/make.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'

const testing = await testApp()
const { app, ask } = testing
const db = app.pool

/** A member beside the ADMIN, with the word wherever something is about them. */
async function makePerson() {
  const world = await makeWorld(testing)
  const word = unique('person')
  const email = `${word}@example.com`
  const { id: userId } = await createMember(db, { ...world, role: 'MEMBER', fullName: word, email })
  const token = await makeToken(db, app.tokenKeys, { organizationId: world.organizationId, userId, name: word })
  const send = (path: string, method = 'GET', body?: object): Promise<Answer> =>
    ask(path, { method, token, ...(body && { body }) })
  await send('/v1/users/me', 'PATCH', { user_custom_prompt: word })
  await send(`${world.path}/views`, 'POST', { name: word, query: `q=${word}` })
  await db.query(
    `insert into host_accounts (organization_id, host, host_user_id, login, user_id) values ($1, 'github', $2, $3, $4)`,
    [world.organizationId, String(userId), word, userId],
  )
  await db.query(
    `insert into identities (issuer, subject, user_id, credential_id) select 'https://id', $1, $2, id from credentials where user_id = $2`,
    [word, userId],
  )
  const comment = await send(`${world.path}/repos/${world.ids.repo_id}/issues/2/comments`, 'POST', {
    body: 'It works.',
  })
  assert.equal(comment.status, 201)
  const leave = () => send(`${world.path}/members/${userId}`, 'DELETE')
  const remove = (confirm = email) => send(`/v1/users/me?confirm=${encodeURIComponent(confirm)}`, 'DELETE')
  return { world, word, email, userId, token, send, leave, remove }
}

test('of a person who deletes their account nothing is left but a number, and what they did stays', async () => {
  const person = await makePerson()
  const { world, word, userId, token } = person
  const run = await makeRun(db, { organizationId: world.organizationId, userId, prompt: 'Go' })
  const places = await findInDatabase(db, word)
  for (const place of [
    'users.email',
    'users.custom_prompt',
    'credentials.name',
    'views.name',
    'host_accounts.login',
    'identities.subject',
  ])
    assert.ok(places.includes(place), `${place} of ${places.join()}`)
  const busy = await person.remove()
  assert.deepEqual([busy.status, busy.body.message], [409, '1 of your runs have not ended. Cancel them first.'])
  await ask(`${world.path}/agent/run/${run.id}/cancel`, { method: 'POST', token: world.token })
  const wrong = await person.remove('somebody@example.com')
  assert.equal(wrong.status, 400)
  assert.equal((await person.remove()).status, 204)
  // Who said something on the built-in host stays known for a week after it was handled.
  assert.deepEqual(await findInDatabase(db, word), ['host_events.event'])
  assert.equal((await ask('/v1/users/me', { token })).status, 401)
  assert.equal((await person.remove()).status, 401)
  const read = await ask(`${world.path}/agent/run/${run.id}`, { token: world.token })
  assert.deepEqual([read.status, read.body.user_id], [200, userId])
  const comments = await ask(`${world.path}/repos/${world.ids.repo_id}/issues/2/comments`, { token: world.token })
  const items = comments.body.items as { body: string; user_id?: number }[]
  assert.ok(items.some(({ body }) => body === 'It works.'))
})

test('a token of one organization deletes no account that another one has, too', async () => {
  const { userId, remove } = await makePerson()
  const other = await makeWorld(testing)
  await db.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'MEMBER')`, [
    other.organizationId,
    userId,
  ])
  const refused = await remove()
  assert.equal(refused.status, 403)
  assert.match(String(refused.body.message), /member of other organizations/)
  await db.query('delete from memberships where user_id = $1 and organization_id = $2', [userId, other.organizationId])
  assert.equal((await remove()).status, 204)
})

test('who is invited again is somebody else', async () => {
  const { world, email, userId, remove } = await makePerson()
  assert.equal((await remove()).status, 204)
  const again = await createMember(db, { ...world, role: 'MEMBER', fullName: null, email })
  assert.notEqual(again.id, userId)
})

test('everyone can leave, and nobody but an ADMIN removes others', async () => {
  const person = await makePerson()
  const { world, userId, send, leave } = person
  const other = await send(`${world.path}/members/${world.ids.user_id}`, 'DELETE')
  assert.equal(other.status, 403)
  assert.match(String(other.body.message), /Only an ADMIN/)
  assert.equal((await leave()).status, 204)
  assert.equal((await send(world.path)).status, 401)
  assert.deepEqual(await rows(db, 'select from views where user_id = $1', [userId]), [])
  const { email } = await one<{ email: string }>(db, 'select email from users where id = $1', [userId])
  assert.equal(email, person.email)
})

test('the last ADMIN and the operator stay', async () => {
  const { world } = await makePerson()
  await db.query(`update memberships set role = 'MEMBER' where organization_id = $1 and user_id <> $2`, [
    world.organizationId,
    world.userId,
  ])
  const { email } = await one<{ email: string }>(db, 'select email from users where id = $1', [world.userId])
  const at = `/v1/users/me?confirm=${encodeURIComponent(email)}`
  const refused = await ask(at, { method: 'DELETE', token: world.token })
  assert.deepEqual([refused.status, refused.body.code], [409, 'last_admin'])
  assert.match(String(refused.body.message), /Make somebody else ADMIN, or delete the organization/)
  const operator = await ask('/v1/users/me?confirm=Administrator', { method: 'DELETE', token: testing.adminToken })
  assert.equal(operator.status, 409)
})

test('two last ADMINs who leave at once do not both go', async () => {
  const { world, userId, remove } = await makePerson()
  await db.query(
    `update memberships set role = case when user_id = any($2) then 'ADMIN' else 'MEMBER' end where organization_id = $1`,
    [world.organizationId, [userId, world.userId]],
  )
  await db.query(
    `update run_heads set status = 'cancelled', lease_id = null, worker_id = null
    where organization_id = $1 and status not in ('completed', 'failed', 'cancelled')`,
    [world.organizationId],
  )
  const { email } = await one<{ email: string }>(db, 'select email from users where id = $1', [world.userId])
  const answers = await Promise.all([
    remove(),
    ask(`/v1/users/me?confirm=${encodeURIComponent(email)}`, { method: 'DELETE', token: world.token }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [204, 409],
  )
})
