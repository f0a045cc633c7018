import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Entry } from '#base/entry.ts'
import { inTransaction } from '#db/transaction.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'

const { app, ask, member } = await testApp()
let me: Awaited<ReturnType<typeof member>>
let other: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
  other = await member()
})

const get = (path: string, known?: string, token = me.token) =>
  ask(path, { token, ...(known === undefined ? {} : { headers: { 'if-none-match': known } }) })

async function makeLog(count: number) {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  let written = 0
  const append = async (more: number) => {
    const entries = Array.from({ length: more }, (): Entry => ({
      messageType: 'PLAN_EVALUATION',
      thought: `thought ${++written}`,
    }))
    await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
  }
  await append(count)
  return { run, append, path: `${me.path}/agent/run/${run.id}` }
}
const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') ?? ''
const seqs = (answer: { body: Record<string, unknown> }) =>
  (answer.body.logs as { seq: number }[]).map(({ seq }) => seq)

test('who has the run as it is gets 304 and no body; after a change, the run', async () => {
  const { path, run } = await makeLog(1)
  const first = await get(path)
  assert.match(tagOf(first), /^"[\w-]+"$/)
  const same = await get(path, tagOf(first))
  assert.deepEqual([same.status, same.text, tagOf(same)], [304, '', tagOf(first)])
  assert.equal(same.headers.get('cache-control'), 'no-store')
  await app.pool.query(`update runs set title = 'Another' where id = $1`, [run.id])
  const next = await get(path, tagOf(first))
  assert.equal(next.status, 200)
  assert.equal(next.body.title, 'Another')
  assert.notEqual(tagOf(next), tagOf(first))
})

test('whatever of a run is changed, by whichever statement, is read at once', async () => {
  const { path, run } = await makeLog(1)
  const seen = new Set([tagOf(await get(path))])
  const ids = [me.organizationId, run.id]
  const changes: [string, (body: Record<string, unknown>) => unknown, unknown][] = [
    [`update runs set summary = 'Short' where organization_id = $1 and id = $2`, (body) => body.summary, 'Short'],
    [
      `update run_heads set status_detail = 'setup' where organization_id = $1 and run_id = $2`,
      (body) => body.status_detail,
      'setup',
    ],
    [
      `with repo as (insert into repos (organization_id, host, name, path, default_branch) select $1::bigint, 'local', 'r' || $2::bigint, 'p', 'main' returning id)
       insert into pulls (organization_id, repo_id, number, run_id, title, body, head_branch, base_branch, head_commit)
       select $1, id, 1, $2, 'Fix it', '', 'fix', 'main', 'x' from repo`,
      (body) => (body.github_pull_requests as { title: string }[])[0]?.title,
      'Fix it',
    ],
    [
      `update pulls set merged = true, state = 'closed' where organization_id = $1 and run_id = $2`,
      (body) => (body.github_pull_requests as { merged: boolean }[])[0]?.merged,
      true,
    ],
  ]
  for (const [statement, read, request] of changes) {
    await app.pool.query(statement, ids)
    const answer = await get(path, [...seen].join(', '))
    assert.equal(answer.status, 200, statement)
    assert.equal(read(answer.body), request)
    seen.add(tagOf(answer))
  }
  assert.equal(seen.size, changes.length + 1)
})

test('one of several names is enough; "*" is any; what is no name is passed over', async () => {
  const { path } = await makeLog(1)
  const tag = tagOf(await get(path))
  for (const known of ['*', ` ${tag} `, `"a", ${tag}`, `W/${tag}`, `"a,b",W/"c" ,${tag}`]) {
    assert.equal((await get(path, known)).status, 304, known)
  }
  for (const known of [
    '',
    '"',
    tag.slice(1, -1),
    tag.slice(0, -1),
    `"x${tag.slice(1)}`,
    '*, *',
    ',,,',
    'W/',
    '"x",'.repeat(3000),
  ]) {
    assert.equal((await get(path, known)).status, 200, known.slice(0, 40))
  }
})

test('a page of the log that is known is 304 without a look at the log', async () => {
  const { path, append, run } = await makeLog(5)
  const page = `${path}/logs?skip=2&limit=2`
  const first = await get(page)
  assert.deepEqual(seqs(first), [3, 4])
  // What is read for the second time is kept.
  await get(page)
  await inTransaction(app.pool, async (tx) => {
    // Whoever read the log now would wait for this.
    await tx.query('lock table log_entries in access exclusive mode')
    assert.equal((await get(page, tagOf(first))).status, 304)
    assert.deepEqual(seqs(await get(page)), [3, 4], 'a page that was read before is remembered')
  })
  for (const query of ['skip=2&limit=3', 'skip=1&limit=2', 'skip=2&limit=2&reverse=true']) {
    assert.notEqual(tagOf(await get(`${path}/logs?${query}`)), tagOf(first), query)
  }
  await append(1)
  const next = await get(page, tagOf(first))
  assert.equal(next.status, 200)
  assert.deepEqual([seqs(next), next.body.total_logs], [[3, 4], 6])
  await app.pool.query(`update runs set result = 'Done' where id = $1`, [run.id])
  assert.equal((await get(page, tagOf(next))).body.result, 'Done')
})

test('pages of a run at work are right while it grows, from either end', async () => {
  const { path, append } = await makeLog(7)
  for (let total = 7; total <= 12; total++) {
    const page = await get(`${path}/logs?skip=6&limit=4`)
    assert.deepEqual(seqs(page), [7, 8, 9, 10].slice(0, total - 6))
    assert.deepEqual((await get(`${path}/logs?skip=6&limit=4`)).text, page.text)
    const last = seqs(await get(`${path}/logs?skip=0&limit=2&reverse=true`))
    assert.deepEqual(last, [total, total - 1])
    assert.deepEqual(seqs(await get(`${path}/logs?skip=${total - 1}&limit=5`)), [total])
    assert.deepEqual(seqs(await get(`${path}/logs?skip=${total}&limit=5`)), [])
    await append(1)
  }
})

test('what is remembered is shown to nobody else', async () => {
  const { path, run } = await makeLog(2)
  for (const tail of ['', '/logs']) await get(`${path}${tail}`)
  const known = [tagOf(await get(path)), tagOf(await get(`${path}/logs`))]
  for (const [n, tail] of ['', '/logs'].entries()) {
    assert.equal((await get(`${path}${tail}`, known[n], other.token)).status, 403)
    assert.equal((await get(`${other.path}/agent/run/${run.id}${tail}`, known[n], other.token)).status, 404)
    assert.equal((await get(`${other.path}/agent/run/${run.id}${tail}`, '*', other.token)).status, 404)
    assert.equal((await get(`${path}${tail}`, '*', '')).status, 401)
  }
})

test('who is no member any more reads nothing within a second, known or not', async () => {
  const { path } = await makeLog(1)
  const { body } = await ask(`${me.path}/members`, { method: 'POST', token: me.token, body: { full_name: 'Bot' } })
  const made = await ask(`${me.path}/tokens`, {
    method: 'POST',
    token: me.token,
    body: { name: 'bot', user_id: body.id },
  })
  const token = String(made.body.token)
  const known = tagOf(await get(path, undefined, token))
  await app.pool.query('delete from memberships where organization_id = $1 and user_id = $2', [
    me.organizationId,
    body.id,
  ])
  const begun = performance.now()
  while ((await get(path, known, token)).status !== 403) assert.ok(performance.now() - begun < 10_000)
  assert.equal((await get(`${path}/logs`, known, token)).status, 403)
})

test('times of entries have milliseconds, whatever zeros they end with', async () => {
  const { path, run } = await makeLog(4)
  const times = ['2026-11-21 13:05:09', '2026-11-21 13:05:09.1', '2026-11-21 13:05:09.12', '2026-01-02 03:04:05.006999']
  for (const [n, time] of times.entries()) {
    await app.pool.query(
      `update log_entries set created_at = ($3 || '+00')::timestamptz where run_id = $1 and seq = $2`,
      [run.id, n + 1, time],
    )
  }
  const { body } = await get(`${path}/logs`)
  assert.deepEqual(
    (body.logs as { created_at: string }[]).map(({ created_at }) => created_at),
    ['2026-11-21T13:05:09.000Z', '2026-11-21T13:05:09.100Z', '2026-11-21T13:05:09.120Z', '2026-01-02T03:04:05.006Z'],
  )
})
