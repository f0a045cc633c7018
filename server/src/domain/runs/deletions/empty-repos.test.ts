import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { forgetQueuedLabels } from '#domain/runs/runs/forget-queued-labels.ts'
import { sumQueueChanges } from '#domain/runs/runs/sum-queue-changes.ts'
import { findInDatabase, findInFolder } from '#test/find-canary.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { unique } from '#test/make.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { emptyDeletions } from './empty-deletions.ts'
import { emptyRepos } from './empty-repos.ts'

const testing = await testApp()
const { app, ask } = testing
const db = app.pool

const gone: string[] = []
const options = {
  repositories: app.hosts.admin,
  onDeleted: (kind: string, count: number) => void gone.push(...Array<string>(count).fill(kind)),
  workMs: 60_000,
}

async function empty(): Promise<void> {
  await emptyRepos(db, options)
  await emptyDeletions(db, options)
}

/** As if an hour had passed since anything was stored. */
async function sweep(): Promise<void> {
  await db.query(`update blobs set look_at = look_at - interval '1 hour'`)
  while (await sweepBlobs(db, app.blobs));
  // As the leading process does soon after.
  await sumQueueChanges(db)
  await forgetQueuedLabels(db)
}

const stopRuns = ({ organizationId }: World) =>
  db.query(
    `update run_heads set status = 'cancelled', lease_id = null, worker_id = null
     where organization_id = $1 and status not in ('completed', 'failed', 'cancelled')`,
    [organizationId],
  )

const remove = (world: World, more = '', token = world.token): Promise<Answer> =>
  ask(`${world.path}/repos/${world.ids.repo_id}${more}`, { method: 'DELETE', token })

/** Every table that says of a row of which repository it is; but for runs, which may be kept, and sums. */
async function tablesOf({ organizationId, ids }: World): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'repo_id'
       and table_name not in ('runs', 'usage_days') order by 1`,
  )
  assert.ok(tables.length > 20)
  const found: string[] = []
  for (const { name } of tables) {
    const text = `select count(*) as count from ${name} where organization_id = $1 and repo_id = $2`
    if ((await one<{ count: number }>(db, text, [organizationId, ids.repo_id])).count > 0) found.push(name)
  }
  return found
}

const folder = app.config.dataDir

/** Writes the word where only requests leave it. */
async function fill(world: World): Promise<void> {
  const at = `${world.path}/repos/${world.ids.repo_id}`
  const body = { title: world.word, body: world.word }
  const headers = () => ({ 'idempotency-key': unique('key') })
  const posts: [string, object][] = [
    [`${at}/issues`, body],
    [`${world.path}/prs/${world.ids.pr_id}/comments`, { body: world.word }],
  ]
  for (const [path, body] of posts)
    assert.equal((await ask(path, { method: 'POST', token: world.token, body, headers: headers() })).status, 201)
  const change = {
    description: world.word,
    setup_commands: world.word,
    default_models: [world.word],
    labels: [world.word],
  }
  assert.equal((await ask(at, { method: 'PATCH', token: world.token, body: change })).status, 200)
}

test('of a repository that is deleted with its runs nothing is left in any table, in the blob store or in a folder', async () => {
  const world = await makeWorld(testing)
  await fill(world)
  await db.query('update runs set repo_id = $2 where organization_id = $1', [world.organizationId, world.ids.repo_id])
  const other = await makeWorld(testing)
  const otherPlaces = await findInDatabase(db, other.word)
  const before = await findInDatabase(db, world.word)
  for (const place of ['issues.title', 'idempotency_keys.answer', 'pulls.body', 'repos.description', 'checks.summary'])
    assert.ok(before.includes(place), `${place} of ${before.join()}`)
  assert.equal((await remove(world)).status, 409)
  await stopRuns(world)
  assert.equal((await remove(world, '?delete_runs=true')).status, 204)
  const list = await ask(`${world.path}/prs`, { token: world.token })
  assert.equal((await remove(world)).status, 404)
  await empty()
  await sweep()
  const inOrganization = [
    'budgets',
    'credentials',
    'integrations',
    'jobs',
    'mcp_servers',
    'model_providers',
    'users',
    'views',
    'worker_tokens',
  ]
  const left = (await findInDatabase(db, world.word)).filter((place) => !inOrganization.includes(place.split('.')[0]!))
  assert.deepEqual(left, [])
  assert.deepEqual(await tablesOf(world), ['deleted_runs'])
  assert.deepEqual(await rows(db, 'select from runs where organization_id = $1', [world.organizationId]), [])
  assert.deepEqual(findInFolder(folder, world.word), [])
  assert.equal(existsSync(world.repository), false)
  assert.deepEqual(await findInDatabase(db, other.word), otherPlaces)
  assert.ok(existsSync(other.repository))
  assert.equal(list.status, 200)
})

test('runs that are kept stay readable, without a diff, and their agents do not go on', async () => {
  const world = await makeWorld(testing)
  await stopRuns(world)
  const run = `${world.path}/agent/run/${world.ids.agent_run_id}`
  assert.equal((await remove(world)).status, 204)
  await empty()
  const read = await ask(run, { token: world.token })
  assert.deepEqual([read.status, read.body.prompt, read.body.repo_id], [200, world.word, world.ids.repo_id])
  assert.deepEqual(read.body.github_pull_requests, [])
  assert.equal((await ask(`${run}/logs`, { token: world.token })).status, 200)
  assert.equal((await ask(`${run}/diff`, { token: world.token })).text, '')
  const body = { agent_run_id: world.ids.agent_run_id, prompt: 'More' }
  const resumed = await ask(`${world.path}/agent/run/resume`, { method: 'POST', token: world.token, body })
  assert.equal(resumed.status, 409)
  assert.match(String(resumed.body.message), /repository of run \d+ was removed.*Start a new run/)
})

test('only an ADMIN deletes the runs of a repository with it, and nobody of another organization deletes anything', async () => {
  const world = await makeWorld(testing)
  await stopRuns(world)
  await db.query(`update memberships set role = 'MANAGER' where organization_id = $1 and user_id = $2`, [
    world.organizationId,
    world.userId,
  ])
  app.tokenKeys.seen.clear()
  const refused = await remove(world, '?delete_runs=true')
  assert.equal(refused.status, 403)
  assert.match(String(refused.body.message), /Only an ADMIN/)
  const stranger = await testing.member()
  assert.equal((await remove(world, '', stranger.token)).status, 403)
  assert.equal((await remove(world, '?delete_runs=perhaps')).status, 400)
  assert.equal((await ask(`${world.path}/repos/${world.ids.repo_id}`, { token: world.token })).status, 200)
  assert.equal((await remove(world)).status, 204)
})

test('another repository of the same name is made at once, and nothing of it goes', async () => {
  const world = await makeWorld(testing)
  await stopRuns(world)
  const answers = await Promise.all([remove(world), remove(world), remove(world)])
  assert.ok(answers.every(({ status }) => status === 204 || status === 404))
  const make = (path: string, body: object) => ask(`${world.path}${path}`, { method: 'POST', token: world.token, body })
  const made = await make('/repos', { name: world.word })
  assert.equal(made.status, 201)
  assert.equal((await make(`/repos/${String(made.body.id)}/issues`, { title: world.word, body: 'x' })).status, 201)
  await empty()
  const read = await ask(`${world.path}/repos/${String(made.body.id)}`, { token: world.token })
  assert.deepEqual([read.status, read.body.name], [200, world.word])
  const issues = await ask(`${world.path}/repos/${String(made.body.id)}/issues`, { token: world.token })
  assert.equal(issues.body.total, 1)
})

test('what somebody wrote who was at work as a repository was removed goes an hour later', async () => {
  const world = await makeWorld(testing)
  await stopRuns(world)
  await remove(world)
  await empty()
  await db.query(
    `insert into host_events (organization_id, repo_id, subject, event) values ($1, $2, 'branch:late', '{"type": "push"}')`,
    [world.organizationId, world.ids.repo_id],
  )
  await mkdir(world.repository, { recursive: true })
  await writeFile(path.join(world.repository, 'late'), world.word)
  await empty()
  assert.ok((await tablesOf(world)).includes('host_events'))
  await db.query(
    `update repos set removed_at = removed_at - interval '1 hour', empty_at = empty_at - interval '1 hour' where empty_at is not null`,
  )
  await empty()
  assert.equal((await tablesOf(world)).includes('host_events'), false)
  assert.equal(existsSync(world.repository), false)
  assert.deepEqual(await rows(db, 'select from repos where empty_at is not null'), [])
})

test('a repository that cannot be removed is tried again, and holds up no other', async () => {
  const worlds = [await makeWorld(testing), await makeWorld(testing)]
  const [stuck] = worlds
  const failing = {
    removeRepository: async (repo: { organizationId: number; path: string }) => {
      if (repo.organizationId === stuck!.organizationId) throw new Error('read-only file system')
      await app.hosts.admin.removeRepository(repo)
    },
  }
  for (const world of worlds) {
    await stopRuns(world)
    await remove(world)
  }
  await assert.rejects(emptyRepos(db, { ...options, repositories: failing }), /could not be removed/)
  assert.ok((await tablesOf(stuck!)).includes('pulls'))
  assert.equal((await tablesOf(worlds[1]!)).includes('pulls'), false)
  await db.query('update repos set empty_at = now() where empty_at is not null')
  await empty()
  assert.equal((await tablesOf(stuck!)).includes('pulls'), false)
})

test('thousands of rows go in short transactions, whoever stops in between', async () => {
  const world = await makeWorld(testing)
  const at = { organizationId: world.organizationId, userId: world.userId, repoId: Number(world.ids.repo_id) }
  for (let n = 0; n < 3; n++) await makeFullRun(db, { word: unique('more'), blobs: app.blobs, steps: 1, ...at })
  await db.query(
    `insert into issues (organization_id, repo_id, number, user_id, title, body)
     select $1, $2, n, $3, 'x', 'x' from generate_series(100, 3100) n`,
    [at.organizationId, at.repoId, at.userId],
  )
  await db.query(
    `with made as (
       insert into pulls (organization_id, repo_id, number, title, body, head_branch, base_branch, head_commit)
       select $1, $2, n, 'x', 'x', 'b' || n, 'main', 'c' from generate_series(4000, 4010) n returning id)
     insert into pull_comments (organization_id, pull_id, user_id, body, head_commit) select $1, id, $3, 'x', 'c' from made, generate_series(1, 200)`,
    [at.organizationId, at.repoId, at.userId],
  )
  await stopRuns(world)
  gone.length = 0
  await remove(world, '?delete_runs=true')
  for (let n = 0; n < 3; n++) await emptyRepos(db, { ...options, workMs: 0 })
  assert.ok((await tablesOf(world)).includes('issues'))
  await Promise.all(Array.from({ length: 3 }, empty))
  await empty()
  assert.deepEqual(await tablesOf(world), ['deleted_runs'])
  assert.deepEqual(
    [gone.filter((kind) => kind === 'repo').length, gone.filter((kind) => kind === 'runs').length],
    [1, 4],
  )
})
