import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { openJudgeFiles } from '#domain/hosts/comparisons/open-judge-files.ts'
import { emptyDeletions } from '#domain/runs/deletions/empty-deletions.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member } = await testApp()
const base64 = (text: string) => Buffer.from(text).toString('base64')

type Contestant = { name: string; run_id: number; prompt: string | null; outcome: string }
type Comparison = { id: number; judges: object[]; judge_files: object[]; contestants: Contestant[] }

async function caller() {
  const me = await member()
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    ask(me.path + path, { method, token: me.token, headers, ...(body && { body }) })
  const repo = await send('POST', '/repos', { name: 'compared' })
  const compare = (body: object, headers?: Record<string, string>) =>
    send(
      'POST',
      '/comparisons',
      { prompt: 'Go', contestants: [{ agent_type: 'scripted', count: 2 }], ...body },
      headers,
    )
  const runs = async () =>
    (
      await one<{ n: number }>(app.pool, 'select count(*) as n from runs where organization_id = $1', [
        me.organizationId,
      ])
    ).n
  return { ...me, send, compare, runs, repoId: Number(repo.body.id) }
}

const made = (answer: { status: number; body: object; text: string }): Comparison => {
  assert.equal(answer.status, 201, answer.text)
  return answer.body as Comparison
}

test('a contestant is an engine, a model, or a prompt, as often as one asks, and opens no pull request by itself', async () => {
  const { compare, organizationId, repoId } = await caller()
  const comparison = made(
    await compare({
      repo_id: repoId,
      judges: [],
      contestants: [
        { agent_type: 'scripted', count: 2 },
        { agent_type: 'scripted', models: ['one', 'other'], effort: 'low' },
        { name: 'Politely', agent_type: 'scripted', prompt: 'Please go' },
      ],
    }),
  )
  assert.deepEqual(
    comparison.contestants.map(({ name, prompt, outcome }) => [name, prompt, outcome]),
    [
      ['scripted #1', null, 'open'],
      ['scripted #2', null, 'open'],
      ['scripted one low', null, 'open'],
      ['scripted other low', null, 'open'],
      ['Politely', 'Please go', 'open'],
    ],
  )
  const runs = await rows<{ opens: boolean }>(
    app.pool,
    'select create_pull_request as opens from runs where organization_id = $1',
    [organizationId],
  )
  assert.deepEqual([...new Set(runs.map(({ opens }) => opens))], [false])
})

test('too few runs, too many, or one that cannot be started: none is', async () => {
  const { compare, runs, send, repoId } = await caller()
  const scripted = { agent_type: 'scripted' }
  const long = { path: 'a', content: Buffer.alloc(600_000).toString('base64') }
  const wrong: [object, number][] = [
    [{ contestants: [scripted] }, 400],
    [{ contestants: [{ ...scripted, count: 8 }, scripted] }, 400],
    [{ contestants: [{ ...scripted, count: 3, models: ['a', 'b', 'c'] }] }, 400],
    [{ contestants: [scripted, { agent_type: 'telepathy' }] }, 400],
    [{ repo_id: 999_999 }, 404],
    [{ judges: [{ command: 'true' }] }, 400],
    [{ repo_id: repoId, judges: [{ name: 'a', command: 'true' }, { name: 'a', command: 'false' }] }, 400], // prettier-ignore
    ...[
      [long],
      [{ path: '../a', content: '' }],
      [{ path: '.git/hooks/x', content: '' }],
      [{ path: 'a', content: 'no base64!' }],
      [{ path: 'a', content: '' }, { path: 'a/b', content: '' }], // prettier-ignore
    ].map((judge_files): [object, number] => [{ repo_id: repoId, judges: [], judge_files }, 400]),
  ]
  for (const [body, status] of wrong)
    assert.equal((await compare(body)).status, status, JSON.stringify(body).slice(0, 200))
  await send('POST', '/budgets', { limit_usd: 0, period: 'day' })
  assert.equal((await compare({})).body.code, 'budget_reached')
  assert.equal(await runs(), 0)
  assert.equal((await send('GET', '/comparisons')).body.total, 0)
})

test('a request that is sent twice makes one comparison', async () => {
  const { compare, runs } = await caller()
  const key = { 'idempotency-key': 'once' }
  const [first, again] = [await compare({}, key), await compare({}, key)]
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal(await runs(), 2)
})

test('a comparison is found by any of its runs, and by no other run', async () => {
  const { compare, send } = await caller()
  const [one, other] = [made(await compare({})), made(await compare({}))]
  const found = async (runId: number) => {
    const { body } = await send('GET', `/comparisons?run_id=${runId}`)
    return [body.total, ...(body.items as Comparison[]).map(({ id }) => id)]
  }
  for (const { id, contestants } of [one, other])
    for (const contestant of contestants) assert.deepEqual(await found(contestant.run_id), [1, id])
  assert.deepEqual(await found(999_999), [0])
})

test('without judges those of the repository count', async () => {
  const { compare, send, repoId } = await caller()
  await send('PATCH', `/repos/${repoId}`, {
    check_commands: [
      { name: 'test', command: 'npm test' },
      { name: 'api', command: 'npm test', path: 'api' },
    ],
  })
  const { judges } = made(await compare({ repo_id: repoId }))
  assert.partialDeepStrictEqual(judges, [{ name: 'test', command: 'npm test', timeout_seconds: null }, { name: 'api' }])
})

test('files of judges come out for a worker alone, and are sealed where they are stored', async () => {
  const { compare, send, organizationId, repoId } = await caller()
  const file = { path: 'tests/hidden.js', content: base64('hidden words') }
  const answer = await compare({ repo_id: repoId, judges: [{ command: 'true' }], judge_files: [file] })
  const comparison = made(answer)
  assert.deepEqual(comparison.judge_files, [{ path: 'tests/hidden.js', bytes: 12 }])
  const ids = { organizationId, comparisonId: comparison.id }
  const [opened] = await openJudgeFiles(app.pool, app.secretBox, ids)
  assert.equal(Buffer.from(opened!.bytes).toString(), 'hidden words')
  const { sealed } = await one<{ sealed: Buffer }>(app.pool, 'select sealed from comparisons where id = $1', [
    comparison.id,
  ])
  for (const hidden of ['hidden words', file.content]) {
    assert.ok(!sealed.includes(hidden))
    assert.ok(!answer.text.includes(hidden))
    assert.ok(!(await send('GET', `/comparisons/${comparison.id}`)).text.includes(hidden))
  }
})

test('a deleted run is no contestant any more, and a comparison goes with the last of them', async () => {
  const { compare, send, organizationId, repoId } = await caller()
  const stored = async () => (await getStorage(app.pool, { organizationId })).used.artifacts
  const judge_files = [{ path: 'hidden.sh', content: base64('exit 0') }]
  const { id, contestants } = made(await compare({ repo_id: repoId, judges: [], judge_files }))
  assert.ok((await stored()) > 0)
  await send('POST', `/comparisons/${id}/cancel`)
  const path = `/comparisons/${id}`
  const remove = async (n: number) =>
    assert.equal((await send('DELETE', `/agent/run/${contestants[n]!.run_id}`)).status, 204)
  await remove(0)
  assert.deepEqual(
    ((await send('GET', path)).body as Comparison).contestants.map(({ run_id }) => run_id),
    [contestants[1]!.run_id],
  )
  await remove(1)
  assert.equal((await send('GET', path)).body.code, 'comparison_not_found')
  const repositories = { removeRepository: async () => {} }
  await emptyDeletions(app.pool, { repositories, onDeleted: () => {} })
  assert.deepEqual(await rows(app.pool, 'select id from comparisons where id = $1', [id]), [])
  assert.equal(await stored(), 0)
})
