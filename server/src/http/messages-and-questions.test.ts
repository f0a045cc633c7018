import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { documented, type Document } from '#test/documented.ts'
import { makeRepository, git } from '#test/example-repository.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { unique } from '#test/make.ts'
import { testApp, type Answer, type Ask } from '#test/test-app.ts'
import { routes } from './routes/index.ts'

const { app, ask, member } = await testApp()
const assertDocumented = documented(JSON.parse((await ask('/openapi.json')).text) as Document)

let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member('MEMBER')
})

type Names = Record<string, unknown>

/** Sends a request and checks the answer against what the document says of it. */
async function call(operationId: string, names: Names = {}, request: Ask & { query?: string } = {}): Promise<Answer> {
  const route = routes.find((one) => one.operationId === operationId)
  assert.ok(route, operationId)
  const values: Names = { org_id: me.organizationId, ...names }
  const url = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const answer = await ask(`${url}${request.query ?? ''}`, { method: route.method, token: me.token, ...request })
  assertDocumented(route, answer)
  return answer
}

const create = (body: Names = {}) => call('createRun', {}, { body: { prompt: 'Fix it', ...body } })
const held = () => makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })

function assertRefused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text.slice(0, 300))
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const uri = (bytes: Buffer, mediaType = 'image/png') => `data:${mediaType};base64,${bytes.toString('base64')}`

test('a run answers what it was given', async () => {
  const parent = (await create()).body.id
  const options = { max_cost_usd: 0.123456789, plan_approval: true, parent_run_id: parent, timeout_minutes: 7 }
  const made = await create({ ...options, output_schema: { type: 'object' }, images: [uri(png)] })
  assert.partialDeepStrictEqual(made.body, { ...options, result_json: null })
  assert.deepEqual((await call('getRun', { agent_run_id: made.body.id })).body, made.body)
  assertRefused(await create({ parent_run_id: 999_999 }), 404, 'run_not_found')
})

test('a dry run makes nothing, and answers what would become of it', async () => {
  const count = async () => (await call('listRuns')).body.total
  const earlier = await count()
  assert.equal((await create({ dry_run: true })).body.blocked_by, 'no_worker')
  await app.pool.query(
    `insert into workers (name, slots, version, alive_until) values ('alive', 1, '0', now() + interval '1 hour')`,
  )
  const { status, body } = await create({ dry_run: true, max_cost_usd: 2, title: 'Try' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    dry_run: true,
    configuration: {
      agent_type: 'repair',
      title: 'Try',
      max_cost_usd: 2,
      timeout_minutes: 60,
      create_pull_request: true,
    },
    blocked_by: 'capacity',
    cost_range: { low_usd: null, high_usd: null },
  })
  assertRefused(await create({ dry_run: true, repo_id: 999_999 }), 404, 'repo_not_found')
  assertRefused(await create({ dry_run: true, parent_run_id: 999_999 }), 404, 'run_not_found')
  assertRefused(await create({ dry_run: true, prompt: ' ' }), 400, 'invalid_request')
  assert.equal(await count(), earlier)
})

test('images must be what they say, few, and small', async () => {
  const large = Buffer.concat([png, Buffer.alloc(5 * 2 ** 20)])
  // 900 million pixels, in few bytes.
  const wide = Buffer.from(png)
  wide.writeUInt32BE(30_000, 16)
  wide.writeUInt32BE(30_000, 20)
  const jpeg = Buffer.from('ffd8ffc0001108000100010301220002110103110100', 'hex')
  const wrong = [
    ['not an image'],
    ['https://example.com/cat.png'],
    [uri(Buffer.from('GIF'))],
    [uri(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    [`data:image/png;base64,${png.toString('base64')}!`],
    [uri(large)],
    [uri(wide)],
    [1],
    Array.from({ length: 11 }, () => uri(png)),
  ]
  for (const images of wrong) {
    assertRefused(await create({ images }), 400, 'invalid_request')
    assertRefused(await create({ images, dry_run: true }), 400, 'invalid_request')
  }
  const { detail } = (await create({ images: [uri(png), 'x'] })).body
  assert.deepEqual(detail, [
    { loc: ['body', 'images', 1], msg: 'must be a data URI of an image in base64', type: 'format' },
  ])
  const fine = Buffer.concat([png, Buffer.alloc(5 * 2 ** 20 - png.length)])
  assert.equal((await create({ images: [uri(fine), uri(jpeg, 'image/jpg')] })).status, 200)
  assertRefused(await create({ x: 'x'.repeat(1024 * 1024) }), 413, 'body_too_large')
  assertRefused(await create({ images: ['x'.repeat(20 * 1024 * 1024)] }), 413, 'body_too_large')
})

test('an output schema must be one', async () => {
  const wrong = [
    { type: 'thing' },
    { $ref: 'https://example.com/schema.json' },
    { properties: 7 },
    { $async: true },
    { pattern: '(' },
    { description: 'x'.repeat(65_536) },
  ]
  for (const output_schema of wrong) assertRefused(await create({ output_schema }), 400, 'invalid_request')
  assertRefused(await create({ output_schema: 'object' }), 400, 'invalid_request')
})

test('a run goes on with a branch or a pull request that is there', async () => {
  const manager = await member('MANAGER')
  me = { ...me, organizationId: manager.organizationId, token: manager.token }
  const source = makeRepository({ 'a.txt': 'a' })
  git(source, 'branch', 'work')
  const import_from = path.join(app.config.dataDir, 'source')
  cpSync(source, import_from, { recursive: true })
  const repo = (await call('createRepo', {}, { body: { name: unique('repo'), import_from } })).body
  const { pull } = await openPull(app.pool, {
    organizationId: manager.organizationId,
    repoId: Number(repo.id),
    runId: 1,
    title: 'Work',
    body: '',
    headBranch: 'work',
    baseBranch: 'main',
    headCommit: '0'.repeat(40),
    publicUrl: '',
  })
  const expected = { repo_id: repo.id, branch: 'work', base_branch: 'main' }
  const byBranch = await create({ repo_id: repo.id, branch: 'work' })
  assert.partialDeepStrictEqual(byBranch.body, { ...expected, github_pull_requests: [{ id: pull.id }] })
  assert.partialDeepStrictEqual((await create({ pull_request: pull.id })).body, expected)
  assertRefused(await create({ repo_id: repo.id, branch: 'play' }), 404, 'branch_not_found')
  assertRefused(await create({ repo_id: repo.id, branch: 'work', base_branch: 'play' }), 404, 'branch_not_found')
  assertRefused(await create({ repo_id: repo.id, branch: 'main' }), 400, 'invalid_request')
  assertRefused(await create({ branch: 'work' }), 400, 'invalid_request')
  assertRefused(await create({ repo_id: repo.id, branch: 'work', pull_request: pull.id }), 400, 'invalid_request')
  assertRefused(await create({ pull_request: 999_999 }), 404, 'pull_not_found')
  await app.pool.query(`update pulls set state = 'closed' where id = $1`, [pull.id])
  assertRefused(await create({ pull_request: pull.id }), 409, 'conflict')
})

test('a run is configured: what is left out stays', async () => {
  const { id } = (await create({ metadata: { a: 1 }, model: 'm' })).body
  const update = (body: object) => call('updateRun', { agent_run_id: id }, { body })
  assert.partialDeepStrictEqual((await update({ title: 'Better', archived: true })).body, {
    title: 'Better',
    archived: true,
    metadata: { a: 1 },
    model: 'm',
  })
  const listed = async (query: string) =>
    ((await call('listRuns', {}, { query })).body.items as { id: number }[]).map((run) => run.id)
  assert.ok(!(await listed('')).includes(Number(id)))
  assert.ok((await listed('?archived=true')).includes(Number(id)))
  const changed = { metadata: null, model: null, max_cost_usd: 3, timeout_minutes: 9, archived: false }
  assert.partialDeepStrictEqual((await update(changed)).body, { ...changed, title: 'Better' })
  assert.partialDeepStrictEqual((await update({})).body, changed)
  for (const body of [
    { title: '' },
    { archived: 'yes' },
    { timeout_minutes: 0 },
    { max_cost_usd: -1 },
    { title: null },
  ])
    assertRefused(await update(body), 400, 'invalid_request')
  assertRefused(await update({ metadata: { x: 'x'.repeat(17_000) } }), 400, 'metadata_too_large')
  assertRefused(await call('updateRun', { agent_run_id: 999_999 }, { body: {} }), 404, 'run_not_found')
})

test('a queued run is held and let go; what is not paused cannot be continued, what has ended not be paused', async () => {
  const ids = { agent_run_id: (await create()).body.id }
  assertRefused(await call('continueRun', ids), 409, 'conflict')
  assert.equal((await call('pauseRun', ids)).body.status, 'paused')
  assertRefused(await call('pauseRun', ids), 409, 'conflict')
  assert.partialDeepStrictEqual((await call('continueRun', ids)).body, { status: 'queued', turn: 1 })
  await call('pauseRun', ids)
  assert.partialDeepStrictEqual((await call('resumeRun', {}, { body: { ...ids, prompt: 'New' } })).body, {
    status: 'queued',
    turn: 2,
  })
  await call('cancelRun', ids)
  assertRefused(await call('pauseRun', ids), 409, 'run_already_ended')
  assertRefused(await call('continueRun', ids), 409, 'run_already_ended')
})

test('a run at work is asked to pause; a stop wins over that', async () => {
  const ids = { agent_run_id: (await held()).run.id }
  assert.partialDeepStrictEqual((await call('pauseRun', ids)).body, { status: 'in_progress', status_detail: 'pausing' })
  assert.equal((await call('cancelRun', ids)).body.status_detail, 'stopping')
  assertRefused(await call('pauseRun', ids), 409, 'conflict')
})

test('messages are queued, listed, and taken back as long as nobody has read them', async () => {
  const ids = { agent_run_id: (await held()).run.id }
  const say = (prompt: string) => call('createMessage', ids, { body: { prompt } })
  const first = await say('Use tabs')
  assert.equal(first.status, 201)
  assert.partialDeepStrictEqual(first.body, { n: 2, prompt: 'Use tabs', taken_seq: null })
  assert.equal((await call('revokeMessage', { ...ids, n: 2 })).status, 204)
  assert.equal((await say('Use spaces')).body.n, 3, 'a number is given once')
  const { body } = await call('listMessages', ids, { query: '?skip=1' })
  assert.partialDeepStrictEqual(body, { items: [{ n: 3, prompt: 'Use spaces' }], total: 2 })
  assertRefused(await call('revokeMessage', { ...ids, n: 2 }), 404, 'message_not_found')
  assertRefused(await call('revokeMessage', { ...ids, n: 1 }), 409, 'conflict')
  await app.pool.query('update messages set taken_seq = 5 where run_id = $1 and n = 3', [ids.agent_run_id])
  assertRefused(await call('revokeMessage', { ...ids, n: 3 }), 409, 'conflict')
  assertRefused(await say('\n'), 400, 'invalid_request')
  assertRefused(await say('x'.repeat(262_145)), 400, 'prompt_too_long')
  await call('cancelRun', ids)
  assertRefused(await say('Too late'), 409, 'run_already_ended')
})

test('an answer lets the run that waits for it go on in the same turn', async () => {
  const { run } = await held()
  const ids = { agent_run_id: run.id }
  const asked = 'insert into questions (organization_id, run_id, n, text, options) values ($1, $2, $3, $4, $5)'
  await app.pool.query(asked, [me.organizationId, run.id, 1, 'Tabs?', '["yes", "no"]'])
  await app.pool.query(asked, [me.organizationId, run.id, 2, 'Really?', '[]'])
  const answer = (n: number, text = 'yes') => call('answerQuestion', { ...ids, n }, { body: { answer: text } })
  await app.pool.query(
    `update run_heads set status = 'waiting_for_user', worker_id = null, lease_id = null where run_id = $1`,
    [run.id],
  )
  assertRefused(await answer(3), 404, 'question_not_found')
  assertRefused(await answer(1, ' '), 400, 'invalid_request')
  assert.partialDeepStrictEqual((await answer(1)).body, {
    n: 1,
    kind: 'question',
    options: ['yes', 'no'],
    answer: 'yes',
  })
  assert.equal((await call('getRun', ids)).body.status, 'waiting_for_user')
  assertRefused(await answer(1), 409, 'conflict')
  await answer(2)
  assert.partialDeepStrictEqual((await call('getRun', ids)).body, { status: 'queued', turn: 1 })
  assert.partialDeepStrictEqual((await call('listQuestions', ids)).body, { items: [{ n: 1 }, { n: 2 }], total: 2 })
  await call('cancelRun', ids)
  await app.pool.query(asked, [me.organizationId, run.id, 3, 'Too late?', '[]'])
  assertRefused(await answer(3), 409, 'run_already_ended')
})

test('a file of a run is downloaded under whatever name it has', async () => {
  const { run, holder } = await held()
  const ids = { agent_run_id: run.id }
  const name = 'Bericht – "é" (1).html'
  const blob = await app.blobs.put(me.organizationId, Buffer.from('<script>'))
  await saveArtifact(app.pool, { holder, name, contentType: 'application/octet-stream', blob })
  assert.partialDeepStrictEqual((await call('listArtifacts', ids)).body, { items: [{ name, bytes: 8 }], total: 1 })
  const file = await call('getArtifact', { ...ids, name })
  assert.equal(file.text, '<script>')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''Bericht%20%E2%80%93/)
  assertRefused(await call('getArtifact', { ...ids, name: 'other' }), 404, 'artifact_not_found')
  assertRefused(await call('getArtifact', { ...ids, name: '../../etc/passwd' }), 404, 'artifact_not_found')
  assertRefused(await call('getArtifact', { agent_run_id: 999_999, name }), 404, 'run_not_found')
})

test('a log is read from an entry on, and by type', async () => {
  const { run, holder } = await held()
  const ids = { agent_run_id: run.id }
  const types = ['USER_MESSAGE', 'ACTION', 'PLAN_EVALUATION', 'ACTION', 'FINAL_ANSWER'] as const
  const entries = types.map((messageType) => ({ messageType, thought: 't' }))
  await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
  for (const operation of ['listLog', 'listLogAlpha']) {
    const read = async (query: string) => {
      const { status, body, headers } = await call(operation, ids, { query })
      assert.equal(headers.get('x-api-stability'), 'alpha')
      if (status !== 200) return body.code
      assert.equal(body.total_logs, 5)
      return (body.logs as { seq: number }[]).map(({ seq }) => seq)
    }
    assert.deepEqual(await read('?after_seq=3'), [4, 5])
    assert.deepEqual(await read('?after_seq=1&limit=2'), [2, 3])
    assert.deepEqual(await read('?after_seq=5'), [])
    assert.deepEqual(await read(`?after_seq=${Number.MAX_SAFE_INTEGER}`), [])
    assert.deepEqual(await read('?message_type=ACTION'), [2, 4])
    assert.deepEqual(await read('?message_type=ACTION&message_type=FINAL_ANSWER&after_seq=2&limit=1'), [4])
    assert.deepEqual(await read('?message_type=ACTION&reverse=true'), [4, 2])
    for (const query of [
      'message_type=ACTION&skip=1',
      'after_seq=1&skip=1',
      'after_seq=1&reverse=true',
      'message_type=SHOUT',
      'after_seq=-1',
      'after_seq=x',
    ])
      assert.equal(await read(`?${query}`), 'invalid_request', query)
  }
})

test('engines and models say whether they can be used, and why not', async () => {
  const { body } = await call('listEngines')
  const engines = new Map(
    (body.items as { name: string; available: boolean; reason: string | null }[]).map((one) => [one.name, one]),
  )
  assert.deepEqual(engines.get('repair'), {
    name: 'repair',
    title: 'repair',
    available: true,
    reason: null,
    package: null,
  })
  assert.match(engines.get('builtin')?.reason ?? '', /no model is configured/)
  assert.partialDeepStrictEqual((await call('listModels')).body, { items: [], total: 0 })
  assert.partialDeepStrictEqual((await call('listEngines', {}, { query: '?limit=1&skip=1' })).body, {
    page: 2,
    size: 1,
  })
})

test('a run that waits has a timeline of one span', async () => {
  const { body } = await call('getTimeline', { agent_run_id: (await create()).body.id })
  assert.partialDeepStrictEqual(body, [{ kind: 'queue', to: null }])
})
