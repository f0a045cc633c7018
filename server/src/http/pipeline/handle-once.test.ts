import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { limits } from '#base/limits.ts'
import { one, rows } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { sweepIdempotencyKeys } from '#domain/accounts/idempotency-keys/sweep-idempotency-keys.ts'
import { unique } from '#test/make.ts'
import { sendRaw } from '#test/open-socket.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { routes } from '#http/routes/index.ts'
import { components } from '#http/schemas/index.ts'

let aheadMs = 0
const clock = { now: () => new Date(Date.now() + aheadMs) }
const { app, ask, member, adminToken, url } = await testApp({ clock })
let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

type Post = { key?: string; body?: unknown; token?: string }
const post = (path: string, { key, body, token = me.token }: Post = {}): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    token,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const create = (key: string | undefined, body: object = { prompt: 'Fix it' }) =>
  post(`${me.path}/agent/run`, { ...(key === undefined ? {} : { key }), body })
const isReplay = (answer: Answer) => answer.headers.get('idempotency-replayed') === 'true'
const countRuns = async () =>
  (await one<{ n: number }>(app.pool, 'select count(*) as n from runs where organization_id = $1', [me.organizationId]))
    .n

/** Runs `work` as if it were so much later. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  aheadMs = ms
  return work().finally(() => (aheadMs = 0))
}

test('the same key and body get the first answer again, and no second run', async () => {
  const key = unique('key')
  const first = await create(key, { prompt: 'Fix it', metadata: { a: 1, b: [1, 2] } })
  assert.ok(first.status === 200 && !isReplay(first))
  await post(`${me.path}/agent/run/${first.body.id}/cancel`)
  const text = `{ "metadata": {"b":[1,2.0],"a":1},\n "prompt":"Fix it" }`
  const again = await ask(`${me.path}/agent/run`, {
    method: 'POST',
    token: me.token,
    body: text,
    headers: { 'idempotency-key': key },
  })
  assert.ok(again.status === 200 && isReplay(again))
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
})

test('without a key each request makes its own', async () => {
  const answers = [await create(undefined), await create(undefined)]
  assert.notEqual(answers[0]?.body.id, answers[1]?.body.id)
  assert.ok(!answers.some(isReplay))
})

test('fifty at once with one key make one run; the others are told to wait, or get its answer', async () => {
  const earlier = await countRuns()
  const key = unique('key')
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(key)))
  assert.equal(await countRuns(), earlier + 1)
  const made = answers.filter((answer) => answer.status === 200)
  assert.equal(made.filter((answer) => !isReplay(answer)).length, 1)
  assert.equal(new Set(made.map((answer) => answer.text)).size, 1)
  for (const answer of answers.filter((other) => other.status !== 200)) {
    assert.partialDeepStrictEqual(answer.body, { status_code: 409, code: 'idempotency_in_progress' })
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.ok(isReplay(await create(key)))
})

test('while the first is at work, the second is told so at once', async () => {
  const { body: run } = await create(undefined)
  const cancel = `${me.path}/agent/run/${run.id}/cancel`
  const key = unique('key')
  const { first, second } = await inTransaction(app.pool, async (tx) => {
    await tx.query('select from run_heads where run_id = $1 for update', [run.id])
    const first = post(cancel, { key })
    await untilWaiting()
    return { first, second: await post(cancel, { key }) }
  })
  assert.equal(second.body.code, 'idempotency_in_progress')
  assert.equal((await first).status, 200)
  assert.equal((await first).text, (await post(cancel, { key })).text)
})

/** Resolves when a statement of this database waits for the lock of a row. */
async function untilWaiting(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!(await rows(app.pool, waiting)).length) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('another body under the same key is refused, and makes nothing', async () => {
  const key = unique('key')
  await create(key, { prompt: 'One' })
  const earlier = await countRuns()
  for (const body of [{ prompt: 'Two' }, { prompt: 'One', title: 'More' }, { prompt: 'One', metadata: {} }]) {
    const refused = await create(key, body)
    assert.equal(refused.status, 422)
    assert.equal(refused.body.code, 'idempotency_key_reused')
  }
  assert.equal(await countRuns(), earlier)
})

test('a key is its user’s, in one organization, on one path', async () => {
  const key = unique('key')
  const { body: run } = await create(key)
  const other = await member()
  const theirs = await post(`${other.path}/agent/run`, { key, token: other.token, body: { prompt: 'Fix it' } })
  assert.ok(!isReplay(theirs) && theirs.body.id !== run.id)
  const cancelled = await post(`${me.path}/agent/run/${run.id}/cancel`, { key })
  assert.ok(!isReplay(cancelled) && cancelled.body.status === 'cancelled')
  const name = unique('organization')
  const made = await post('/v1/organizations', { key, token: adminToken, body: { name } })
  const again = await post('/v1/organizations', { key, token: adminToken, body: { name } })
  assert.ok(made.status === 201 && again.status === 201 && isReplay(again))
  assert.equal(again.text, made.text)
})

test('what failed is not kept: the same key may be used for it again, or for something else', async () => {
  const key = unique('key')
  assert.equal((await create(key, { prompt: ' ' })).status, 400)
  assert.equal((await create(key, { prompt: 'Go', agent_type: 'telepathy' })).status, 400)
  assert.equal((await create(key, { prompt: 'Go', repo_id: 999_999 })).status, 404)
  const made = await create(key, { prompt: 'Go' })
  assert.ok(made.status === 200 && !isReplay(made))
  const conflict = unique('key')
  const cancel = `${me.path}/agent/run/${made.body.id}/cancel`
  await post(cancel)
  assert.equal((await post(cancel, { key: conflict })).status, 409)
  await post(`${me.path}/agent/run/resume`, { body: { agent_run_id: made.body.id, prompt: 'Again' } })
  const cancelled = await post(cancel, { key: conflict })
  assert.ok(cancelled.status === 200 && !isReplay(cancelled))
})

test('after 24 hours a key is new again, and what was kept is swept', async () => {
  const key = unique('key')
  const first = await create(key)
  assert.ok(isReplay(await later(limits.idempotencyKeptMs - 60_000, () => create(key))))
  const next = await later(limits.idempotencyKeptMs + 60_000, () => create(key, { prompt: 'Another' }))
  assert.ok(next.status === 200 && !isReplay(next) && next.body.id !== first.body.id)
  const old = unique('key')
  await create(old)
  const now = new Date(Date.now() + limits.idempotencyKeptMs + 1_000)
  assert.ok((await sweepIdempotencyKeys(app.pool, { now })) > 0)
  const left = await rows(app.pool, 'select from idempotency_keys where created_at <= now()')
  assert.equal(left.length, 0)
  assert.equal((await later(limits.idempotencyKeptMs + 61_000, () => create(key, { prompt: 'Another' }))).status, 200)
})

test('a key is 1 to 255 printable ASCII characters, given once; elsewhere than on POST it says nothing', async () => {
  for (const key of ['k', ' a key with "signs" ', '~'.repeat(255)]) assert.equal((await create(key)).status, 200)
  for (const key of ['', '~'.repeat(256), 'x'.repeat(10_000), 'caf\u00e9', 'tab\there']) {
    const refused = await create(key)
    assert.equal(refused.status, 400, key)
    assert.partialDeepStrictEqual(refused.body, { detail: [{ loc: ['header', 'Idempotency-Key'] }] })
  }
  const get = await ask(`${me.path}/agent/runs`, { token: me.token, headers: { 'idempotency-key': '' } })
  assert.equal(get.status, 200)
  const head = [
    `POST ${me.path}/agent/run HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${me.token}`,
    'Content-Type: application/json',
    'Content-Length: 15',
    'Idempotency-Key: one',
    'Idempotency-Key: two',
    'Connection: close',
  ]
  assert.match(
    await sendRaw(url, `${head.join('\r\n')}\r\n\r\n{"prompt":"Go"}`),
    /^HTTP\/1\.1 400 [^]*given more than once/,
  )
})

test('one key makes one repository, though its content lies outside the database', async () => {
  const body = { name: unique('repo') }
  const key = unique('key')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(`${me.path}/repos`, { key, body })))
  assert.equal(answers.filter((answer) => answer.status === 201 && !isReplay(answer)).length, 1)
  assert.ok(answers.every(({ status, body: { code } }) => status === 201 || status === 409 || code === 'unavailable'))
  const again = await post(`${me.path}/repos`, { key, body })
  assert.ok(again.status === 201 && isReplay(again))
  const taken = unique('key')
  assert.equal((await post(`${me.path}/repos`, { key: taken, body })).body.code, 'repo_name_taken')
  assert.equal((await post(`${me.path}/repos`, { key: taken, body })).body.code, 'repo_name_taken')
})

test('a secret is not given again, and a dump of the database holds none', async () => {
  const key = unique('key')
  const body = { name: 'laptop' }
  const made = await post(`${me.path}/tokens`, { key, body })
  const secret = String(made.body.token)
  assert.equal((await ask('/v1/users/me', { token: secret })).status, 200)
  const again = await post(`${me.path}/tokens`, { key, body })
  assert.ok(again.status === 201 && isReplay(again))
  assert.deepEqual(again.body, { ...made.body, token: null })
  const dump = await dumpOf()
  assert.ok(dump.includes('laptop') && dump.includes(String(made.body.prefix)))
  for (const token of [secret, me.token, adminToken]) assert.ok(!dump.includes(token))
})

/** Every column of every row, as text. */
async function dumpOf(): Promise<string> {
  const tables = await rows<{ name: string }>(
    app.pool,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const texts = await Promise.all(
    tables.map(({ name }) => rows<{ text: string }>(app.pool, `select t::text as text from ${name} t`)),
  )
  return texts.flatMap((list) => list.map(({ text }) => text)).join('\n')
}

test('every endpoint that answers a secret says so', () => {
  for (const route of routes) {
    const named = components as { $id?: string; properties: object }[]
    const component = named.find(({ $id }) => $id !== undefined && $id === route.success.component)
    const fields = Object.keys(component?.properties ?? {})
    const secrets = fields.filter((field) => /^(token|ticket|secret|password|(api|private)_key)$/.test(field))
    if (route.method === 'POST') assert.deepEqual(route.secrets ?? [], secrets, route.operationId)
  }
})

test('every POST takes a key, and documents what comes of it', async () => {
  const document = JSON.parse((await ask('/openapi.json')).text) as {
    paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; responses: object }>>
  }
  for (const route of routes.filter(({ method, access }) => method === 'POST' && access !== 'public')) {
    const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.post
    const header = operation?.parameters?.find(({ name }) => name === 'Idempotency-Key')
    assert.equal(header?.in, 'header', route.operationId)
    for (const status of ['400', '409', '422']) assert.ok(status in (operation?.responses ?? {}), route.operationId)
  }
})
