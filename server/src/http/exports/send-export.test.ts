import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { one, rows } from '#db/pool.ts'
import { exportedTables } from '#domain/runs/exports/exported-tables.ts'
import { listExportedRows } from '#domain/runs/exports/list-exported-rows.ts'
import { Subscriptions } from '#domain/runs/subscriptions/subscriptions.ts'
import { createMember } from '#domain/accounts/members/create-member.ts'
import { archivePiece } from '#domain/runs/logs/archive-piece.ts'
import { buildServer } from '#http/build-server.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeRun } from '#test/make-run.ts'
import { makeToken, unique } from '#test/make.ts'
import { readArchive, rowsIn } from '#test/read-archive.ts'
import { testApp } from '#test/test-app.ts'
import { sendExport } from './send-export.ts'
import { testFolder } from '#test/test-git.ts'
import { makeWorld, type World } from '#test/world.ts'

const testing = await testApp()
const { app, ask } = testing
const db = app.pool

type Manifest = {
  kind: string
  id: number
  rows: Record<string, number>
  files: Record<string, number>
  missing_files: string[]
  repositories: { name: string; bundle_bytes: number; lfs_objects: number }[]
}

const open = (at: string, token: string, signal?: AbortSignal) =>
  fetch(testing.url + at, { headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) })

async function take(at: string, token: string) {
  const response = await open(at, token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[a-z]+-\d+\.tar\.gz"$/)
  const files = await readArchive(Readable.fromWeb(response.body as never))
  assert.equal([...files.keys()].at(-1), 'manifest.json')
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Manifest
  for (const [table, count] of Object.entries(manifest.rows)) assert.equal(rowsIn(files, table).length, count, table)
  const text = Buffer.concat([...files].flatMap(([name, content]) => [Buffer.from(name), content])).toString('latin1')
  return { files, manifest, text, rows: (table: string) => rowsIn(files, table) }
}

/** An organization with something in every table, and in the blob store. */
async function makeFullWorld() {
  const world = await makeWorld(testing)
  const { organizationId, userId, word, ids, token } = world
  const options = { word, blobs: app.blobs, steps: 3, organizationId, userId }
  const full = await makeFullRun(db, { ...options, repoId: Number(ids.repo_id) })
  const alone = await makeFullRun(db, { ...options, steps: 1 })
  const changed = { settings: { retention: { logs: 30 }, archive_logs_after_days: 30 } }
  assert.equal((await ask(world.path, { method: 'PATCH', token, body: changed })).status, 200)
  await ask('/v1/users/me', { method: 'PATCH', token, body: { user_custom_prompt: `prompt of ${word}` } })
  return { ...world, full, alone }
}

const runPath = (world: World, id: number) => `${world.path}/agent/run/${id}/export`
const repoPath = (world: World) => `${world.path}/repos/${world.ids.repo_id}/export`

/** The values that are never shown again, by where they stand. */
async function secretsOf({ organizationId, token }: World): Promise<string[]> {
  const found = await rows<{ value: string }>(
    db,
    `select encode(digest, 'hex') as value from credentials where organization_id = $1
     union all select encode(sealed, 'hex') from secrets where organization_id = $1
     union all select encode(sealed, 'hex') from data_keys where organization_id = $1
     union all select encode(sealed, 'hex') from model_providers where organization_id = $1
     union all select encode(sealed, 'hex') from member_model_keys where organization_id = $1
     union all select encode(sealed, 'hex') from integrations where organization_id = $1
     union all select key from integrations where organization_id = $1`,
    [organizationId],
  )
  assert.ok(found.length >= 6)
  return [token, ...found.map(({ value }) => value)]
}

test('the export of an organization has its rows, files and repositories, and nothing of another one or that is secret', async () => {
  const world = await makeFullWorld()
  const other = await makeFullWorld()
  const { files, manifest, text, rows: of } = await take(`${world.path}/export`, world.token)
  assert.ok(text.includes(world.word))
  assert.ok(!text.includes(other.word))
  for (const secret of [...(await secretsOf(world)), ...(await secretsOf(other))]) assert.ok(!text.includes(secret))
  const empty = Object.entries(manifest.rows).flatMap(([table, count]) => (count === 0 ? [table] : []))
  assert.deepEqual(empty, [
    'host_accounts',
    'check_settings',
    'pull_reviews',
    'pull_reviewers',
    'host_requests',
    'deleted_runs',
  ])
  for (const table of Object.keys(exportedTables).filter((name) => exportedTables[name]!.organization)) {
    if (['organizations', 'users', 'repos', 'sandbox_logs', 'pull_comments', 'storage', 'credentials'].includes(table))
      continue
    const { count } = await one<{ count: number }>(
      db,
      `select count(*) as count from ${table} where organization_id = $1`,
      [world.organizationId],
    )
    assert.equal(manifest.rows[table], count, table)
  }
  for (const table of Object.keys(manifest.rows))
    for (const row of of(table)) assert.equal(row['organization_id'] ?? world.organizationId, world.organizationId)
  assert.deepEqual(manifest.files, { check_logs: 2, images: 2, artifacts: 3 })
  assert.equal(String(files.get(`artifacts/${world.ids.agent_run_id}/${world.file}`)), world.word)
  assert.deepEqual(manifest.missing_files, [])
  const entry = of('log_entries').find(({ run_id }) => run_id === world.full.run.id)
  assert.match(JSON.stringify(entry), new RegExp(world.word))
  assert.deepEqual(
    manifest.repositories.map(({ name }) => name),
    [String(world.ids.repo_id)],
  )

  const folder = await testFolder()
  const bundle = path.join(folder, 'repository.bundle')
  writeFileSync(bundle, files.get(`repositories/${world.ids.repo_id}/repository.bundle`)!)
  execFileSync('git', ['clone', '--quiet', '--bare', bundle, path.join(folder, 'clone.git')])
  const shown = execFileSync('git', ['-C', path.join(folder, 'clone.git'), 'show', `${world.commit}:${world.word}`])
  assert.equal(String(shown), world.word)
})

test('a log that is archived is listed, recorded and exported byte for byte as before, and one that is lost is named', async () => {
  const world = await makeWorld(testing)
  const { organizationId, userId, path: at, token } = world
  const options = { word: world.word, blobs: app.blobs, organizationId, userId }
  const full = await makeFullRun(db, { ...options, steps: 130 })
  const others = [await makeFullRun(db, { ...options, steps: 3 }), await makeFullRun(db, { ...options, steps: 3 })]
  const logs = `${at}/agent/run/${full.run.id}/logs`
  const addresses = [
    '?limit=100',
    '?skip=30&limit=100',
    '?skip=100&limit=100',
    '?skip=90',
    '?reverse=true&limit=60',
    '?message_type=PLAN_EVALUATION&after_seq=70&limit=20',
    '?message_type=ERROR',
    '?message_type=ACTION&reverse=true',
  ].map((query) => logs + query)
  const readAll = async () => {
    // Other processes have kept nothing of it.
    const databaseUrl = db.options.connectionString as string
    const subscriptions = new Subscriptions({ pool: db, databaseUrl, blobs: app.blobs, chores: app.telemetry.chores })
    const fresh = await buildServer({ app: { ...app, subscriptions }, rateLimiter: testing.rateLimiter })
    const url = await fresh.listen({ port: 0, host: '127.0.0.1' })
    const headers = { authorization: `Bearer ${token}` }
    const bodies: string[] = []
    for (const address of addresses) bodies.push(await (await fetch(url + address, { headers })).text())
    const record = await fetch(`${url}${at}/agent/run/${full.run.id}/record`, { headers })
    const recorded = String(gunzipSync(await record.bytes())).split('\n')
    await fresh.close()
    const ofRun = await take(runPath(world, full.run.id), token)
    const ofAll = await take(`${at}/export`, token)
    return {
      bodies,
      entries: recorded.filter((line) => line.includes('"type":"entry"')),
      exports: [ofRun, ofAll].map(({ files }) => String(files.get('tables/log_entries.jsonl'))),
      missing: ofAll.manifest.missing_files,
    }
  }
  const before = await readAll()
  assert.equal(before.entries.length, 130)
  const ids = { organizationId, runId: full.run.id, blobs: app.blobs }
  for (const entriesMax of [60, 30]) await archivePiece(db, { ...ids, entriesMax })
  while (await archivePiece(db, { organizationId, runId: others[1]!.run.id, blobs: app.blobs, entriesMax: 2 }));
  assert.deepEqual(await readAll(), before)
  while (await archivePiece(db, { ...ids, entriesMax: 90 }));
  assert.deepEqual(await readAll(), before)
  const lost = await one<{ sha256: string }>(
    db,
    'select sha256 from log_archives where organization_id = $1 and run_id = $2 and first_seq = 61',
    [organizationId, full.run.id],
  )
  await app.blobs.delete({ organizationId, ...lost })
  const { manifest } = await take(`${at}/export`, token)
  assert.deepEqual(manifest.missing_files, [`log_entries/${full.run.id}/61-90`])
  assert.equal(manifest.rows['log_entries'], before.exports[1]!.trim().split('\n').length - 30)
})

test('read one row at a time, a table has the same rows', async () => {
  const { organizationId } = await makeFullWorld()
  for (const table of Object.keys(exportedTables)) {
    const options = { table, kind: 'organization' as const, organizationId, id: null }
    const lines = await Array.fromAsync(listExportedRows(db, options))
    assert.deepEqual(await Array.fromAsync(listExportedRows(db, { ...options, rowsMax: 1 })), lines, table)
  }
})

test('the export of a run has that run alone, and its own repository', async () => {
  const world = await makeFullWorld()
  const { files, manifest, rows: of } = await take(runPath(world, world.full.run.id), world.token)
  assert.deepEqual([manifest.kind, manifest.id, manifest.rows['runs']], ['run', world.full.run.id, 1])
  for (const table of [
    'messages',
    'questions',
    'steps',
    'log_entries',
    'artifacts',
    'effects',
    'egress_requests',
    'sandboxes',
  ])
    assert.deepEqual([...new Set(of(table).map(({ run_id }) => run_id))], [world.full.run.id], table)
  assert.equal(of('sandbox_logs').length, 1)
  assert.equal(of('log_entries').length, 3)
  assert.match(String(files.get(`images/${world.full.run.id}/2-1`)), new RegExp(world.word))
  for (const table of ['users', 'secrets', 'repos', 'audit_entries', 'credentials'])
    assert.ok(!(table in manifest.rows), table)

  const ref = { organizationId: world.organizationId, path: `${world.organizationId}/run-${world.alone.run.id}.git` }
  assert.deepEqual((await take(runPath(world, world.alone.run.id), world.token)).manifest.repositories, [])
  await app.hosts.admin.createRepository(ref, { defaultBranch: 'main' })
  const empty = await take(runPath(world, world.alone.run.id), world.token)
  assert.deepEqual(empty.manifest.repositories, [
    { name: `run-${world.alone.run.id}`, bundle_bytes: 0, lfs_objects: 0 },
  ])
})

test('nobody exports a run that was deleted or is of another organization, and what it shared with others stays theirs', async () => {
  const world = await makeFullWorld()
  const other = await makeFullWorld()
  const { organizationId, full, alone, token } = world
  assert.equal((await ask(runPath(world, other.full.run.id), { token })).status, 404)
  assert.equal((await ask(runPath(other, other.full.run.id), { token })).status, 403)
  // Both runs have the same bytes.
  await db.query('update artifacts set sha256 = $3 where organization_id = $1 and run_id = $2', [
    organizationId,
    alone.run.id,
    full.blob.sha256,
  ])
  const removed = await ask(`${world.path}/agent/run/${full.run.id}`, { method: 'DELETE', token })
  assert.equal(removed.status, 204)
  assert.equal((await ask(runPath(world, full.run.id), { token })).status, 404)
  const left = await take(runPath(world, alone.run.id), token)
  assert.equal(left.manifest.files['artifacts'], 1)
  const all = await take(`${world.path}/export`, token)
  for (const table of ['runs', 'run_heads', 'messages', 'log_entries', 'steps', 'artifacts', 'sandboxes'])
    assert.ok(
      all.rows(table).every((row) => row['run_id'] !== full.run.id && row['id'] !== full.run.id),
      table,
    )
  assert.equal(all.rows('sandbox_logs').length, 2)
  assert.deepEqual(
    all.rows('deleted_runs').map(({ run_id }) => run_id),
    [full.run.id],
  )
})

test('the export of a repository has all that belongs to it but its runs, and nothing of another repository', async () => {
  const world = await makeFullWorld()
  const made = await ask(`${world.path}/repos`, { method: 'POST', token: world.token, body: { name: 'second' } })
  const secondIssue = { title: 'only of the second', body: 'x' }
  const second = `${world.path}/repos/${Number(made.body.id)}`
  assert.equal((await ask(`${second}/issues`, { method: 'POST', token: world.token, body: secondIssue })).status, 201)
  const { manifest, rows: of, text } = await take(repoPath(world), world.token)
  assert.deepEqual(
    of('repos').map(({ id }) => id),
    [world.ids.repo_id],
  )
  assert.deepEqual(
    of('secrets').map(({ name, repo_id }) => [name, repo_id]),
    [[world.secret, world.ids.repo_id]],
  )
  for (const table of ['pulls', 'pull_comments', 'issues', 'issue_comments', 'comparisons', 'deploy_keys'])
    assert.equal(manifest.rows[table], 1, table)
  // One is a verdict of the comparison.
  assert.deepEqual([manifest.rows['checks'], manifest.rows['snapshots']], [2, 1])
  assert.ok(!('runs' in manifest.rows) && !text.includes('only of the second'))
  const empty = await take(`${second}/export`, world.token)
  assert.deepEqual(empty.manifest.repositories, [{ name: String(made.body.id), bundle_bytes: 0, lfs_objects: 0 }])
  assert.equal((await ask(second, { method: 'DELETE', token: world.token })).status, 204)
  assert.equal((await ask(`${second}/export`, { token: world.token })).status, 404)
  const all = await take(`${world.path}/export`, world.token)
  assert.ok(!all.text.includes('only of the second'))
})

test('a person exports what they wrote in all of their organizations, and nothing that others wrote', async () => {
  const world = await makeFullWorld()
  const elsewhere = await makeFullWorld()
  const word = unique('person')
  const email = `${word}@example.com`
  const { organizationId } = world
  const { id: userId } = await createMember(db, { organizationId, role: 'MEMBER', fullName: word, email })
  await db.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'MEMBER')`, [
    elsewhere.organizationId,
    userId,
  ])
  const token = await makeToken(db, app.tokenKeys, { organizationId, userId, name: word })
  await db.query(
    `insert into identities (issuer, subject, user_id, credential_id) select 'https://id', $1, $2, id from credentials where user_id = $2`,
    [word, userId],
  )
  for (const at of [organizationId, elsewhere.organizationId])
    await makeRun(db, { organizationId: at, userId, prompt: `${word} asks in ${at}` })
  const comment = { body: `${word} comments` }
  const issue = `${world.path}/repos/${world.ids.repo_id}/issues/2/comments`
  assert.equal((await ask(issue, { method: 'POST', token, body: comment })).status, 201)

  const bound = await take('/v1/users/me/export', token)
  assert.deepEqual([bound.manifest.kind, bound.manifest.id], ['user', userId])
  assert.deepEqual(
    bound.rows('runs').map(({ prompt }) => prompt),
    [`${word} asks in ${organizationId}`],
  )
  assert.deepEqual(
    bound.rows('issue_comments').map(({ body }) => body),
    [comment.body],
  )
  assert.deepEqual(
    bound.rows('users').map(({ email: shown }) => shown),
    [email],
  )
  assert.deepEqual(
    bound.rows('credentials').map(({ name }) => name),
    [word],
  )
  assert.equal(bound.manifest.rows['identities'], 1)
  for (const other of [world.word, elsewhere.word]) assert.ok(!bound.text.includes(other))

  await db.query('update credentials set organization_id = null where user_id = $1', [userId])
  const wide = await makeToken(db, app.tokenKeys, { organizationId, userId, name: 'wide' })
  await db.query(`update credentials set organization_id = null where name = 'wide' and user_id = $1`, [userId])
  const both = await take('/v1/users/me/export', wide)
  assert.equal(both.manifest.rows['runs'], 2)
  assert.equal(both.manifest.rows['memberships'], 2)
  assert.equal(both.manifest.rows['credentials'], 2)
  for (const other of [world.word, elsewhere.word]) assert.ok(!both.text.includes(other))
  await ask(`${elsewhere.path}/members/${userId}`, { method: 'DELETE', token: elsewhere.token })
  assert.equal((await take('/v1/users/me/export', wide)).manifest.rows['runs'], 1)
})

test('only an ADMIN with a token of the scope admin exports an organization or a repository, and the audit log says so', async () => {
  const world = await makeFullWorld()
  const { organizationId, token } = world
  for (const [role, status] of [
    ['MEMBER', 200],
    ['MANAGER', 200],
  ] as const) {
    const person = { organizationId, role, fullName: null, email: `${unique('p')}@example.com` }
    const { id: userId } = await createMember(db, person)
    const theirs = await makeToken(db, app.tokenKeys, { organizationId, userId })
    for (const at of [`${world.path}/export`, repoPath(world)])
      assert.equal((await ask(at, { token: theirs })).status, 403)
    assert.equal((await ask(runPath(world, world.full.run.id), { token: theirs })).status, status)
  }
  for (const [scope, ofRun] of [
    ['read', 200],
    ['manage', 200],
  ] as const) {
    const body = { name: scope, scopes: [scope] }
    const narrow = String((await ask(`${world.path}/tokens`, { method: 'POST', token, body })).body.token)
    for (const at of [`${world.path}/export`, repoPath(world)])
      assert.equal((await ask(at, { token: narrow })).status, 403)
    assert.equal((await ask(runPath(world, world.full.run.id), { token: narrow })).status, ofRun)
    assert.equal((await ask('/v1/users/me/export', { token: narrow })).status, scope === 'read' ? 403 : 200)
  }
  await take(`${world.path}/export`, token)
  const { body } = await ask(`${world.path}/audit?action=exportOrganization`, { token })
  assert.deepEqual(
    (body.items as { status: number }[]).map(({ status }) => status),
    [200],
  )
})

test('a secret that a model or a person has repeated is redacted', async () => {
  const world = await makeFullWorld()
  const value = 'the quite secret value of this test'
  const saved = await ask(`${world.path}/repos/${world.ids.repo_id}/secrets/REPEATED`, {
    method: 'PUT',
    token: world.token,
    body: { value },
  })
  assert.ok(saved.status < 300)
  const ids = [world.organizationId, world.full.run.id]
  await db.query(
    `update steps set response = json_build_object('text', $3::text) where organization_id = $1 and run_id = $2`,
    [...ids, `It is "${value}".`],
  )
  await db.query('update messages set body = $3 where organization_id = $1 and run_id = $2', [...ids, value])
  await db.query('update runs set result = $3 where organization_id = $1 and id = $2', [...ids, value])
  for (const at of [`${world.path}/export`, runPath(world, world.full.run.id)]) {
    const { text, rows: of } = await take(at, world.token)
    assert.ok(!text.includes(value))
    assert.ok(of('steps').some(({ response }) => JSON.stringify(response).includes('It is')))
  }
})

/** A run with a log of so many kilobytes that no compression makes small. */
async function makeLongLog(world: World, entries: number) {
  const { organizationId, userId } = world
  const run = await makeRun(db, { organizationId, userId, prompt: 'much' })
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'PLAN_EVALUATION', json_build_object('observation', (select string_agg(md5(n || ' ' || m), '') from generate_series(1, 32) m))
     from generate_series(1, $3) n`,
    [organizationId, run.id, entries],
  )
  return run
}

async function untilRoom(at: string, token: string): Promise<void> {
  for (const until = Date.now() + 20_000; ; await sleep(100)) {
    const { status } = await ask(at, { token })
    if (status === 200) return
    assert.ok(status === 429 && Date.now() < until, `${at} answers ${status}`)
  }
}

test('two exports of an organization are made at once, one more waits, and a reader who goes makes room', async () => {
  const world = await makeWorld(testing)
  const run = await makeLongLog(world, 20_000)
  const stop = new AbortController()
  const unread = [
    await open(runPath(world, run.id), world.token, stop.signal),
    await open(runPath(world, run.id), world.token, stop.signal),
  ]
  assert.deepEqual(
    unread.map(({ status }) => status),
    [200, 200],
  )
  const third = await ask(runPath(world, run.id), { token: world.token })
  assert.deepEqual([third.status, third.headers.get('retry-after')], [429, '30'])
  assert.match(String(third.body.message), /^2 exports .* are in progress\. Try again/)
  assert.equal((await ask('/v1/users/me/export', { token: world.token })).status, 200)
  stop.abort()
  await untilRoom(`${world.path}/agent/run/${world.ids.agent_run_id}/export`, world.token)
})

test('what is deleted or may not be read any more while it is exported has no manifest', async () => {
  const world = await makeWorld(testing)
  const { organizationId, path: at, ids, token } = world
  const run = await makeLongLog(world, 20_000)
  await db.query(`update run_heads set status = 'cancelled' where organization_id = $1 and run_id = $2`, [
    organizationId,
    run.id,
  ])
  const cut = await open(runPath(world, run.id), token)
  assert.equal((await ask(`${at}/agent/run/${run.id}`, { method: 'DELETE', token })).status, 204)
  await assert.rejects(readArchive(Readable.fromWeb(cut.body as never)))

  const second = await makeLongLog(world, 20_000)
  const { id: userId } = await createMember(db, {
    organizationId,
    role: 'MEMBER',
    fullName: null,
    email: `${unique('p')}@example.com`,
  })
  const theirs = await makeToken(db, app.tokenKeys, { organizationId, userId })
  const left = [await open(runPath(world, second.id), theirs), await open(runPath(world, second.id), theirs)]
  assert.deepEqual(
    left.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await ask(`${at}/members/${userId}`, { method: 'DELETE', token })).status, 204)
  await untilRoom(`${at}/agent/run/${ids.agent_run_id}/export`, token)
  for (const { body } of left) await assert.rejects(readArchive(Readable.fromWeb(body as never)))
})

test('a file that is not stored any more is named', async () => {
  const world = await makeFullWorld()
  const { organizationId, full, token } = world
  await app.blobs.delete({ organizationId, sha256: full.blob.sha256 })
  const { manifest } = await take(runPath(world, full.run.id), token)
  assert.deepEqual(manifest.missing_files, [`artifacts/${full.run.id}/${world.word}.txt`])
  assert.equal(manifest.files['artifacts'], undefined)
})

test('a name that an agent gave to a file leads out of no folder', async () => {
  const world = await makeFullWorld()
  const { organizationId, full, token } = world
  const names = ['../../../etc/passwd', '/etc/passwd', '..', '.hidden', 'a\\b', 'line\nbreak']
  for (const name of names)
    await db.query(
      `insert into artifacts (organization_id, run_id, name, sha256, content_type, turn) values ($1, $2, $3, $4, 'text/plain', 1)
       on conflict do nothing`,
      [organizationId, full.run.id, name, full.blob.sha256],
    )
  const { files } = await take(runPath(world, full.run.id), token)
  const found = [...files.keys()].filter((name) => name.startsWith('artifacts/'))
  const digests = names.map((name) => createHash('sha256').update(name).digest('hex'))
  const paths = [...digests, `${world.word}.txt`].map((name) => `artifacts/${full.run.id}/${name}`)
  assert.deepEqual(found.toSorted(), paths.toSorted())
})

test('asked for its head alone, an export is not made', async () => {
  const world = await makeWorld(testing)
  const head = await ask(`${world.path}/export`, { method: 'HEAD', token: world.token })
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('a reader who takes nothing is dropped, and so is one who takes too long', async () => {
  const world = await makeWorld(testing)
  const run = await makeLongLog(world, 20_000)
  const server = fastify()
  after(() => server.close())
  const ids = { organizationId: world.organizationId, runId: run.id }
  const subject = {
    kind: 'run',
    id: run.id,
    organizationIds: [ids.organizationId],
    requireThere: async () => {},
  } as const
  const { id: credentialId } = await one<{ id: number }>(
    db,
    'select id from credentials where organization_id = $1 limit 1',
    [ids.organizationId],
  )
  const options = { app, caller: { credentialId }, subject, name: 'run' }
  server.get('/stalled', async (request, reply) => sendExport(db, { ...options, request, reply, stallMs: 300 }))
  server.get('/slow', async (request, reply) => sendExport(db, { ...options, request, reply, totalMs: 300 }))
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  for (const path of ['stalled', 'slow']) {
    const response = await fetch(`${url}/${path}`)
    assert.equal(response.status, 200)
    for (let open = 1; open > 0; await sleep(50))
      open = await new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)))
    await assert.rejects(readArchive(Readable.fromWeb(response.body as never)))
  }
})
