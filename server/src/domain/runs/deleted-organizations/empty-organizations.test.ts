import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { findInDatabase, findInFolder } from '#test/find-canary.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, makeToken, unique } from '#test/make.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { organizationTables } from './delete-organization-rows.ts'
import { emptyDeletions } from '#domain/runs/deletions/empty-deletions.ts'
import { emptyOrganizations } from './empty-organizations.ts'
import { emptyRepos } from '#domain/runs/deletions/empty-repos.ts'

const testing = await testApp()
const { app, ask } = testing
const db = app.pool
const options = { repositories: app.hosts.admin, onDeleted: () => {}, workMs: 60_000 }

/** As the upkeep does it, as if it were the next time. */
async function upkeep({ workMs = 60_000 } = {}): Promise<void> {
  await emptyDeletions(db, { ...options, workMs })
  await emptyRepos(db, { ...options, workMs })
  await emptyOrganizations(db, { ...options, workMs })
  await db.query('update organizations set empty_at = now() where empty_at is not null')
}

/** As if an hour had passed since anything was stored. */
async function sweep(): Promise<void> {
  await db.query(`update blobs set look_at = look_at - interval '1 hour'`)
  while (await sweepBlobs(db, app.blobs));
}

/** As workers do once their agents have stopped. */
const stopAgents = () =>
  db.query(
    `update run_heads set status = 'cancelled', lease_id = null, worker_id = null where wanted = 'cancel' and lease_id is not null`,
  )

async function emptyAll(): Promise<void> {
  await upkeep()
  await stopAgents()
  for (let n = 0; n < 4; n++) await upkeep()
  await sweep()
  for (let n = 0; n < 2; n++) await upkeep()
}

const remove = (world: { path: string; token: string }, confirm: string): Promise<Answer> =>
  ask(`${world.path}?confirm=${encodeURIComponent(confirm)}`, { method: 'DELETE', token: world.token })

async function tablesOf(organizationId: number): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    `select c.table_name as name from information_schema.columns c join pg_class p on p.relname = c.table_name and not p.relispartition
     where c.table_schema = 'public' and c.column_name = 'organization_id' order by 1`,
  )
  const known = [...organizationTables, 'blobs'].toSorted()
  assert.deepEqual([...new Set(tables.map(({ name }) => name))].toSorted(), known)
  const found: string[] = []
  for (const name of known) {
    const text = `select count(*) as count from ${name} where organization_id = $1`
    if ((await one<{ count: number }>(db, text, [organizationId])).count > 0) found.push(name)
  }
  return found
}

async function fill(world: World): Promise<void> {
  const { organizationId, userId, word, token, ids } = world
  await makeFullRun(db, { word, blobs: app.blobs, steps: 3, organizationId, userId, repoId: Number(ids.repo_id) })
  await makeFullRun(db, { word, blobs: app.blobs, steps: 1, organizationId, userId })
  const headers = { 'idempotency-key': unique('key') }
  const body = { title: word, body: word }
  const made = await ask(`${world.path}/repos/${ids.repo_id}/issues`, { method: 'POST', token, body, headers })
  assert.equal(made.status, 201)
  const change = { name: world.word, settings: { agent_name: 'canary', retention: { logs: 30 } } }
  assert.equal((await ask(world.path, { method: 'PATCH', token, body: change })).status, 200)
  await ask(`${world.path}/rules`, { method: 'PUT', token, body: { rules: word } })
  await ask('/v1/users/me', { method: 'PATCH', token, body: { full_name: word, user_custom_prompt: word } })
}

test('of an organization that is deleted nothing is left anywhere, and nothing of another one goes', async () => {
  const world = await makeWorld(testing)
  const other = await makeWorld(testing)
  for (const one of [world, other]) await fill(one)
  const before = await findInDatabase(db, world.word)
  assert.ok(before.length > 50, before.join())
  const others = { places: await findInDatabase(db, other.word), tables: await tablesOf(other.organizationId) }
  const digests = await rows<{ sha256: string }>(db, 'select sha256 from blobs where organization_id = $1', [
    world.organizationId,
  ])
  assert.ok(digests.length >= 4)

  assert.equal((await ask(world.path, { method: 'DELETE', token: world.token })).status, 400)
  const wrong = await remove(world, world.word.toUpperCase())
  assert.equal(wrong.status, 400)
  assert.match(String(wrong.body.message), /pass its name as "confirm"/)
  assert.equal((await remove(world, world.word)).status, 204)
  await emptyAll()

  assert.deepEqual(await tablesOf(world.organizationId), [])
  assert.deepEqual(await findInDatabase(db, world.word), [])
  assert.deepEqual(findInFolder(app.config.dataDir, world.word), [])
  assert.equal(existsSync(path.join(app.config.dataDir, 'git', String(world.organizationId))), false)
  for (const { sha256 } of digests)
    assert.equal(await app.blobs.get({ organizationId: world.organizationId, sha256 }), undefined)
  assert.deepEqual(await rows(db, 'select from organizations where id = $1', [world.organizationId]), [])

  assert.deepEqual(await findInDatabase(db, other.word), others.places)
  assert.deepEqual(await tablesOf(other.organizationId), others.tables)
  assert.ok(existsSync(other.repository))
  assert.equal((await ask(other.path, { token: other.token })).status, 200)
})

test('its tokens, tickets, webhooks and keys stop at once, and so does every run', async () => {
  const world = await makeWorld(testing)
  const { organizationId, userId, token } = world
  const { holder } = await makeHeldRun(db, { organizationId, userId })
  const ticket = (await ask(`${world.path}/stream-tickets`, { method: 'POST', token, body: {} })).body.ticket
  const { key } = await one<{ key: string }>(db, 'select key from integrations where organization_id = $1', [
    organizationId,
  ])
  assert.equal((await ask(`${world.path}/agent/runs`, { token })).status, 200)
  assert.equal((await remove(world, world.confirm)).status, 204)
  for (const at of [world.path, `${world.path}/agent/runs`, `${world.path}/repos`, '/v1/users/me'])
    assert.equal((await ask(at, { token })).status, 401, at)
  assert.equal((await ask(`${world.path}/agent/runs/stream?ticket=${String(ticket)}`)).status, 401)
  const git = await fetch(`${testing.url}/git/${organizationId}/${world.word}.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
  })
  assert.equal(git.status, 401)
  const body = '{}'
  const hook = await ask(`/webhooks/${key}`, {
    method: 'POST',
    body,
    headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', 'x').update(body).digest('hex')}` },
  })
  assert.equal(hook.status, 404)
  assert.equal((await remove(world, world.confirm)).status, 401)
  await upkeep()
  const head = await one<{ wanted: string | null; status: string }>(
    db,
    'select wanted, status from run_heads where organization_id = $1 and run_id = $2',
    [organizationId, holder.runId],
  )
  assert.deepEqual(head, { wanted: 'cancel', status: 'in_progress' })
  await emptyAll()
  assert.deepEqual(await tablesOf(organizationId), [])
})

test('only an ADMIN of it deletes an organization', async () => {
  const world = await makeWorld(testing)
  const stranger = await testing.member()
  assert.equal((await remove({ ...world, token: stranger.token }, world.confirm)).status, 403)
  assert.equal((await remove({ ...world, token: testing.adminToken }, world.confirm)).status, 403)
  for (const role of ['MEMBER', 'MANAGER'] as const) {
    const { id: userId } = await createMember(db, {
      ...world,
      role,
      fullName: null,
      email: `${unique('p')}@example.com`,
    })
    const token = await makeToken(db, app.tokenKeys, { organizationId: world.organizationId, userId })
    assert.equal((await remove({ ...world, token }, world.confirm)).status, 403)
  }
  const narrow = await ask(`${world.path}/tokens`, {
    method: 'POST',
    token: world.token,
    body: { name: 'narrow', scopes: ['manage'] },
  })
  assert.equal((await remove({ ...world, token: String(narrow.body.token) }, world.confirm)).status, 403)
  assert.equal((await ask(world.path, { token: world.token })).status, 200)
})

test('members of another organization keep their accounts, the others are forgotten', async () => {
  const world = await makeWorld(testing)
  const elsewhere = await makeOrganization(db)
  await db.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'MEMBER')`, [
    elsewhere.id,
    world.userId,
  ])
  const lonely = Number(world.ids.user_id)
  assert.equal((await remove(world, world.confirm)).status, 204)
  const names = await rows<{ id: number; email: string | null; isDeleted: boolean }>(
    db,
    'select id, email, deleted_at is not null as "isDeleted" from users where id = any($1) order by id',
    [[world.userId, lonely]],
  )
  assert.deepEqual(
    names
      .map(({ id, isDeleted, email }) => [id, isDeleted, email === null])
      .toSorted((a, b) => Number(a[0]) - Number(b[0])),
    [
      [world.userId, false, false],
      [lonely, true, true],
    ].toSorted((a, b) => Number(a[0]) - Number(b[0])),
  )
})

test('thousands of runs are cancelled and deleted, whoever stops in between', async () => {
  const { organizationId, userId, token, path } = await testing.member()
  await db.query(
    `with made as (
       insert into runs (organization_id, user_id, source_type, agent_type, prompt, create_pull_request, timeout_minutes)
       select $1, $2, 'API', 'scripted', 'x', false, 60 from generate_series(1, 2000) returning id)
     insert into run_heads (organization_id, run_id, status) select $1, id, 'queued' from made`,
    [organizationId, userId],
  )
  const { body } = await ask(path, { token })
  assert.equal((await remove({ path, token }, String(body.name))).status, 204)
  for (let n = 0; n < 4; n++) await upkeep({ workMs: 1 })
  await Promise.all(Array.from({ length: 3 }, () => upkeep()))
  await emptyAll()
  assert.deepEqual(await tablesOf(organizationId), [])
})
