import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { one } from '#db/pool.ts'
import { testApp, type Answer, type Ask } from '#test/test-app.ts'

const { app, ask, member } = await testApp()
let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

const asMe = (path: string, request: Ask = {}) => ask(`${me.path}${path}`, { token: me.token, ...request })
const create = (body: unknown, headers: Record<string, string> = {}) =>
  asMe('/agent/run', { method: 'POST', body, headers })
const countRuns = async () => (await one<{ n: number }>(app.pool, 'select count(*) as n from runs')).n

/** A refusal in the form that every error has. */
function assertRefused(answer: Answer, status: number, code: string): void {
  assert.partialDeepStrictEqual(answer.body, { status_code: status, code }, answer.text.slice(0, 300))
  assert.equal(answer.status, status)
  assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
  assert.ok(String(answer.body.message).length > 10)
}

async function assertAllRefused(
  requests: (() => Promise<Answer>)[],
  status = 400,
  code = 'invalid_request',
): Promise<void> {
  const earlier = await countRuns()
  for (const request of requests) assertRefused(await request(), status, code)
  assert.equal(await countRuns(), earlier, 'something was made')
}

test('a body of the wrong shape is refused, and says where it is wrong', async () => {
  const wrong: unknown[] = [
    {},
    ...[null, 1, ['x'], '', ' \n\t\u3000', true].map((prompt) => ({ prompt })),
    ...['1', 1.5, 0, -1, 2 ** 53, true, [], {}].map((repo_id) => ({ prompt: 'Go', repo_id })),
    ...['x', [], 1].map((metadata) => ({ prompt: 'Go', metadata })),
    ...[0, -1, 1.5, 1441, '5'].map((timeout_minutes) => ({ prompt: 'Go', timeout_minutes })),
    ...['yes', 1, 0].map((create_pull_request) => ({ prompt: 'Go', create_pull_request })),
    ...['', ' ', 1, 'x'.repeat(201)].map((title) => ({ prompt: 'Go', title })),
  ]
  await assertAllRefused(wrong.map((body) => () => create(body)))
  const { detail } = (await create({ prompt: 1, repo_id: '1' })).body
  assert.deepEqual(detail, [
    { loc: ['body', 'prompt'], msg: 'must be string', type: 'type' },
    { loc: ['body', 'repo_id'], msg: 'must be integer,null', type: 'type' },
  ])
})

test('what is no JSON object is refused', async () => {
  const wrong = [
    '',
    'null',
    '[]',
    '"x"',
    '1',
    '{',
    '{"prompt":"Go"} x',
    "{'prompt':'Go'}",
    '{"prompt":"Go",}',
    '\ufeff{"prompt":"Go"}',
  ]
  await assertAllRefused(wrong.map((body) => () => create(body)))
})

test('numbers beyond what JSON can hold are refused, never rounded', async () => {
  const wrong = [
    '{"prompt":"Go","repo_id":9007199254740993}',
    '{"prompt":"Go","metadata":{"n":1e400}}',
    '{"prompt":"Go","repo_id":1e400}',
  ]
  await assertAllRefused(wrong.map((body) => () => create(body)))
})

test('text that cannot be stored is refused wherever it stands', async () => {
  const texts = ['\\u0000', '\\ud800', '\\udc00x', 'a\\ud83dz']
  const bodies = texts.flatMap((text) => [
    `{"prompt":"Go ${text}"}`,
    `{"prompt":"Go","metadata":{"key":"${text}"}}`,
    `{"prompt":"Go","metadata":{"${text}":1}}`,
    `{"prompt":"Go","metadata":{"deep":[[{"x":"${text}"}]]}}`,
    `{"prompt":"Go","unknown":"${text}"}`,
  ])
  await assertAllRefused(bodies.map((body) => () => create(body)))
  assert.deepEqual((await create(`{"prompt":"Go","metadata":{"a":[1,"\\u0000"]}}`)).body.detail, [
    { loc: ['body', 'metadata', 'a', 1], msg: 'holds a NUL or half of a surrogate pair', type: 'text' },
  ])
  await assertAllRefused([
    () => asMe('/agent/runs?q=a%00b'),
    () => asMe('/agent/runs?q=%ff'),
    () => asMe('/agent/runs?q=%'),
  ])
})

test('invalid UTF-8 is refused', async () => {
  const send = (bytes: number[]) =>
    fetch(`${app.publicUrl}${me.path}/agent/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json' },
      body: Uint8Array.from([...Buffer.from('{"prompt":"'), ...bytes, ...Buffer.from('"}')]),
    })
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
    assert.equal((await send(bytes)).status, 400)
  assert.equal((await send([0xf0, 0x9f, 0x98, 0x80])).status, 200)
})

test('what is nested too deep is refused at once', async () => {
  const nested = (depth: number) => `${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}`
  await assertAllRefused(
    [65, 10_000, 400_000].map((depth) => () => create(`{"prompt":"Go","x":{"y":${nested(depth)}}}`)),
  )
  assert.equal((await create(`{"prompt":"Go","x":{"y":${nested(64)}}}`)).status, 200)
  assert.equal((await create({ prompt: `${'['.repeat(100)} is text \\" [` })).status, 200)
})

test('metadata may be 8 levels deep and 16 KiB large', async () => {
  const deep = (levels: number): object => (levels === 1 ? {} : { x: deep(levels - 1) })
  assert.equal((await create({ prompt: 'Go', metadata: deep(8) })).status, 200)
  await assertAllRefused([() => create({ prompt: 'Go', metadata: deep(9) })], 400, 'metadata_too_large')
  const large = (bytes: number) => ({ x: 'é'.repeat((bytes - 8) / 2) })
  assert.equal((await create({ prompt: 'Go', metadata: large(16 * 1024) })).status, 200)
  await assertAllRefused([() => create({ prompt: 'Go', metadata: large(16 * 1024 + 2) })], 400, 'metadata_too_large')
})

test('a prompt may have 256 KiB', async () => {
  assert.equal((await create({ prompt: 'é'.repeat(128 * 1024) })).status, 200)
  await assertAllRefused([() => create({ prompt: `é${'é'.repeat(128 * 1024)}` })], 400, 'prompt_too_long')
  const resume = () =>
    asMe('/agent/run/resume', { method: 'POST', body: { agent_run_id: 1, prompt: 'x'.repeat(262_145) } })
  await assertAllRefused([resume], 400, 'prompt_too_long')
})

test('a body over 1 MiB is refused, without being read when it says so ahead', async () => {
  const body = (bytes: number) => `{"prompt":"Go","x":"${'x'.repeat(bytes - 22)}"}`
  assert.equal((await create(body(1024 * 1024))).status, 200)
  await assertAllRefused([() => create(body(1024 * 1024 + 1))], 413, 'body_too_large')
})

test('a large list in a body costs little', async () => {
  const began = process.cpuUsage()
  assert.equal((await create(`{"prompt":"Go","x":[${'1,'.repeat(39_000)}1]}`)).status, 200)
  await assertAllRefused([() => create(`{"prompt":"Go","x":[${'1,'.repeat(500_000)}1]}`)], 400, 'invalid_request')
  const { user, system } = process.cpuUsage(began)
  assert.ok(user + system < 1_000_000)
})

test('an id in a path is a plain number', async () => {
  const wrong = [
    '0',
    '-1',
    '+1',
    '01',
    '1.0',
    '1e3',
    '0x10',
    '%201',
    '1%20',
    '%D9%A1',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775808',
    '9'.repeat(400),
    'NaN',
    'null',
    'x',
  ]
  await assertAllRefused(wrong.map((id) => () => asMe(`/agent/run/${id}`)))
  await assertAllRefused(wrong.map((id) => () => ask(`/v1/organizations/${id}/users`, { token: me.token })))
})

test('a page is asked for in whole numbers within their bounds', async () => {
  const limits = ['0', '101', '-1', '1.5', '', 'ten', '1e1', '0x10', '01', '+5', '%205', '9'.repeat(30)]
  const skips = ['-1', '1.5', '', 'x', '01', '9007199254740992', '9223372036854775808']
  const queries = [...limits.map((limit) => `?limit=${limit}`), ...skips.map((skip) => `?skip=${skip}`)]
  for (const path of ['/agent/runs', '/repos', '/users', '/tokens']) {
    await assertAllRefused(queries.map((query) => () => asMe(`${path}${query}`)))
    assert.equal((await asMe(`${path}?skip=${Number.MAX_SAFE_INTEGER}&limit=1`)).status, 200)
  }
  const { body: run } = await create({ prompt: 'Go' })
  await assertAllRefused(queries.map((query) => () => asMe(`/agent/run/${run.id}/logs${query}`)))
})

test('a parameter that takes one value and is given twice is refused', async () => {
  const answer = await asMe('/agent/runs?skip=1&skip=1')
  assertRefused(answer, 400, 'invalid_request')
  assert.match(String(answer.body.message), /query\.skip .* more than once/)
  await assertAllRefused(
    ['?q=a&q=b', '?reverse=x&limit=1&limit=2', '?archived=true&archived=true'].map(
      (query) => () => asMe(`/agent/runs${query}`),
    ),
  )
})

test('words of a closed set, times and booleans are taken literally', async () => {
  const queries = [
    'status=done',
    'status=queued&status=Done',
    'status=',
    'source_type=api',
    'archived=1',
    'archived=TRUE',
    'archived=',
    'created_after=yesterday',
    'created_after=2026-01-01',
    'created_before=2026-13-01T00:00:00Z',
    'user_id=0',
    'repo_id=x',
  ]
  await assertAllRefused(queries.map((query) => () => asMe(`/agent/runs?${query}`)))
  const { body: run } = await create({ prompt: 'Go' })
  await assertAllRefused(
    ['TRUE', '1', 'yes', ''].map((word) => () => asMe(`/agent/run/${run.id}/logs?reverse=${word}`)),
  )
})

test('a body that is not JSON by its own word is refused', async () => {
  const types = [
    'text/plain',
    'application/json;charset=utf-16',
    'application/json; charset=x',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/jsonx',
  ]
  await assertAllRefused(
    types.map((type) => () => create('{"prompt":"Go"}', { 'content-type': type })),
    415,
    'unsupported_media_type',
  )
  await assertAllRefused(
    [() => create('{"prompt":"Go"}', { 'content-encoding': 'gzip' })],
    415,
    'unsupported_media_type',
  )
  for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
    assert.equal((await create('{"prompt":"Go"}', { 'content-type': type })).status, 200)
  }
})

test('a client that takes no JSON is told so', async () => {
  await assertAllRefused([() => asMe('/agent/runs', { headers: { accept: 'text/csv' } })], 406, 'not_acceptable')
  await assertAllRefused(
    [() => asMe('/agent/runs', { headers: { accept: 'application/json;q=0, text/csv' } })],
    406,
    'not_acceptable',
  )
  for (const accept of ['*/*', 'application/*', 'text/html, */*;q=0.1', 'application/problem+json', '']) {
    assert.equal((await asMe('/agent/runs', { headers: { accept } })).status, 200, accept)
  }
})
