import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { sweepOutsideSessions } from '#domain/runs/outside-sessions/sweep-outside-sessions.ts'
import { documented, type Document } from '#test/documented.ts'
import { nowhere } from '#test/example-request.ts'
import { unique } from '#test/make.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { routes } from './routes/index.ts'

// The requests that the public service's own command line and clients send, and what they read of the answers.
const { app, ask, member } = await testApp()
const assertDocumented = documented(JSON.parse((await ask('/openapi.json')).text) as Document)

let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

async function send(
  operationId: string,
  method: string,
  path: string,
  body?: object,
  token = me.token,
): Promise<Answer> {
  const answer = await ask(path, { method, token, ...(body && { body }) })
  assertDocumented(
    routes.find((route) => route.operationId === operationId)!,
    answer,
  )
  return answer
}
const status = (organizationId = me.organizationId, token = me.token) =>
  send('listConnectedProviders', 'GET', `/v1/oauth/tokens/status?org_id=${organizationId}`, undefined, token)
const revoke = (provider: string, token = me.token, organizationId = me.organizationId) =>
  send(
    'disconnectProvider',
    'POST',
    `/v1/oauth/tokens/revoke?provider=${provider}&org_id=${organizationId}`,
    undefined,
    token,
  )
const tool = async (tool_name: string, options: object, token = me.token) =>
  send(
    'executeTool',
    'POST',
    `${me.path}/tools/execute`,
    { tool_name, arguments: { ...options, tool_call_id: 'mcp_call' } },
    token,
  )

test('what is connected is listed by name, and disconnected by its name', async () => {
  const post = (path: string, body: object) => ask(`${me.path}${path}`, { method: 'POST', token: me.token, body })
  await post('/mcp-servers', { name: 'linear', url: `${nowhere}/mcp`, headers: { authorization: 'Bearer ${LINEAR}' } })
  await post('/model-providers', {
    name: 'own',
    kind: 'openai_chat',
    base_url: nowhere,
    key: unique('key'),
    check: false,
  })
  await createIntegration(app.pool, app.secretBox, {
    organizationId: me.organizationId,
    kind: 'github',
    baseUrl: nowhere,
    appId: null,
    installationId: null,
    account: 'acme',
    bot: { id: '1', login: 'bot' },
    credentials: { token: 'token', webhookSecrets: ['secret'] },
    userId: me.userId,
  })
  assert.deepEqual((await status()).body, ['github', 'linear', 'own'])

  const providers = await send('listMcpProviders', 'GET', '/v1/mcp-providers')
  const [linear, ...others] = providers.body as unknown as Record<string, unknown>[]
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(linear, {
    name: 'linear',
    issuer: nowhere,
    is_mcp: true,
    authorization_endpoint: '',
    token_endpoint: '',
    default_scopes: null,
  })
  assert.ok(!providers.text.includes('LINEAR'))

  for (const provider of ['linear', 'own', 'github'])
    assert.partialDeepStrictEqual((await revoke(provider)).body, { provider, disconnected: 1 })
  assert.deepEqual((await status()).body, [])
  assert.equal((await send('listMcpProviders', 'GET', '/v1/mcp-providers')).text, '[]')
  assert.match(String((await revoke('own')).body.message), /Nothing that is called own/)
  const { body: audit } = await ask(`${me.path}/audit`, { token: me.token })
  const actions = (audit.items as { action: string }[]).map(({ action }) => action)
  for (const action of ['removeIntegration', 'updateMcpServer', 'removeModelProvider'])
    assert.ok(actions.includes(action))
})

test('an organization that is named in the query or the body is entered by its members alone', async () => {
  const other = await member()
  for (const organizationId of [other.organizationId, 9_007_199_254_740_991]) {
    assert.equal((await status(organizationId)).status, 403)
    assert.equal((await revoke('github', me.token, organizationId)).status, 403)
    assert.equal(
      (await send('createSlackToken', 'POST', '/v1/slack-connect/generate-token', { org_id: organizationId })).status,
      403,
    )
  }
  const { body: made } = await ask(`${me.path}/members`, {
    method: 'POST',
    token: me.token,
    body: { full_name: 'Bot' },
  })
  const { body: theirs } = await ask(`${me.path}/tokens`, {
    method: 'POST',
    token: me.token,
    body: { name: 'bot', user_id: made.id },
  })
  assert.equal((await revoke('github', String(theirs.token))).status, 403)
})

test('a token for Slack is shown once, stored as a digest, and says that nothing takes it yet', async () => {
  const make = () => send('createSlackToken', 'POST', '/v1/slack-connect/generate-token', { org_id: me.organizationId })
  const first = await make()
  assert.match(String(first.body.token), /^rwl_\w{36}$/)
  assert.equal(first.body.expires_in_minutes, 10)
  assert.match(String(first.body.message), /cannot be connected .* yet/)
  const second = await make()
  const { rows } = await app.pool.query<{ text: string }>(
    'select s::text as text from slack_tokens s where user_id = $1',
    [me.userId],
  )
  assert.equal(rows.length, 1)
  assert.ok(!rows[0]!.text.includes(String(second.body.token)))
  assert.equal((await ask('/v1/users/me', { token: String(second.body.token) })).status, 401)
})

test('repositories are listed at the address of the command line too', async () => {
  await ask(`${me.path}/repos`, { method: 'POST', token: me.token, body: { name: 'web' } })
  const { body } = await send('listRepositories', 'GET', `${me.path}/repositories`)
  assert.partialDeepStrictEqual(body, { items: [{ name: 'web' }], total: 1 })
})

test('tools are endpoints of the API, with simple schemas, and the rights and limits of the caller', async () => {
  const { body } = await send('listTools', 'GET', `${me.path}/tools`)
  const tools = body.tools as {
    name: string
    description: string
    parameters: { properties: Record<string, { type: unknown }>; required: string[] }
  }[]
  assert.equal(body.total_count, tools.length)
  for (const { parameters } of tools)
    for (const [name, { type }] of Object.entries(parameters.properties)) assert.equal(typeof type, 'string', name)
  assert.deepEqual(tools.find(({ name }) => name === 'start_run')?.parameters.required, ['prompt'])

  const started = await tool('start_run', { prompt: 'Fix it', agent_type: 'scripted', model: null })
  const { id } = started.body.result as { id: number }
  const read = await tool('read_run', { agent_run_id: id })
  assert.partialDeepStrictEqual(read.body, {
    tool_name: 'read_run',
    result: { id, status: 'queued', prompt: 'Fix it' },
  })
  assert.partialDeepStrictEqual((await tool('read_run_log', { agent_run_id: id })).body, { result: { id, logs: [] } })
  assert.partialDeepStrictEqual((await tool('list_runs', { limit: 1 })).body, { result: { items: [{ id }], size: 1 } })
  assert.partialDeepStrictEqual((await tool('stop_run', { agent_run_id: id })).body, {
    result: { status: 'cancelled' },
  })

  assert.match(String((await tool('delete_everything', {})).body.message), /none of the tools here: start_run, /)
  assert.match(String((await tool('start_run', {})).body.message), /body.prompt is required/)
  const { body: reader } = await ask(`${me.path}/tokens`, {
    method: 'POST',
    token: me.token,
    body: { name: 'reader', scopes: ['read'] },
  })
  assert.equal((await tool('list_runs', {}, String(reader.token))).status, 200)
  assert.equal((await tool('start_run', { prompt: 'Go' }, String(reader.token))).status, 403)
})

const at = (path = '') => `${me.path}/claude_code/session${path}`
/** As Claude Code writes its log, a line each. */
const line = (type: 'user' | 'assistant', content: unknown) => ({
  log: { type, message: { role: type, content }, uuid: unique('line') },
})
const report = (id: string, body: object, token = me.token) =>
  send('reportClaudeSession', 'POST', at(`/${id}/log`), body, token)
const say = (id: string, word: string) => send('updateClaudeSession', 'POST', at(`/${id}/status`), { status: word })

test('a session of Claude Code on somebody’s machine is a run, of which the command line reports', async () => {
  const id = 'b7b1c0de-0000-4000-8000-000000000001'
  const opened = await send('openClaudeSession', 'POST', at(), { session_id: id })
  const agent_run_id = Number(opened.body.agent_run_id)
  // A hook tells of it again.
  assert.equal((await send('openClaudeSession', 'POST', at(), { session_id: id })).body.agent_run_id, agent_run_id)
  const run = async () => (await ask(`${me.path}/agent/run/${agent_run_id}`, { token: me.token })).body
  assert.partialDeepStrictEqual(await run(), {
    status: 'in_progress',
    source_type: 'CLI',
    agent_type: 'claude_code',
    turn: 1,
    user_id: me.userId,
  })

  await say(id, 'ACTIVE')
  await report(id, { log: { type: 'summary', summary: 'Older' } })
  await report(id, line('user', 'Fix the bug'))
  await report(
    id,
    line('assistant', [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
    ]),
  )
  await report(
    id,
    line('user', [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.js' }] }]),
  )
  assert.equal((await say(id, 'COMPLETE')).body.status, 'completed')
  // It reads the file a moment later.
  assert.equal((await report(id, line('assistant', [{ type: 'text', text: 'Done.' }]))).body.entries, 1)
  assert.partialDeepStrictEqual(await run(), { status: 'completed', result: 'Done.', turn: 1 })

  assert.equal((await say(id, 'ACTIVE')).body.status, 'in_progress')
  await report(id, line('user', 'And the other one'))
  assert.equal((await say(id, 'ERROR')).body.status, 'failed')
  assert.partialDeepStrictEqual(await run(), { turn: 2, error: { code: 'engine_error' } })
  const { body: log } = await ask(`${me.path}/agent/run/${agent_run_id}/logs`, { token: me.token })
  assert.deepEqual(
    (log.logs as Record<string, unknown>[]).map((entry) => [
      entry.turn,
      entry.message_type,
      entry.tool_name,
      entry.thought,
      entry.observation,
      entry.tool_output,
    ]),
    [
      [1, 'USER_MESSAGE', null, null, 'Fix the bug', null],
      [1, 'ACTION', 'Bash', 'I look.', null, { output: 'a.js' }],
      [1, 'FINAL_ANSWER', null, null, 'Done.', null],
      [2, 'USER_MESSAGE', null, null, 'And the other one', null],
      [2, 'ERROR', null, null, 'The agent ended with an error on the machine where it ran.', null],
    ],
  )
  for (const [path, body] of [
    ['resume', { agent_run_id, prompt: 'Go' }],
    [`${agent_run_id}/messages`, { prompt: 'Go' }],
  ] as const)
    assert.equal((await ask(`${me.path}/agent/run/${path}`, { method: 'POST', token: me.token, body })).status, 409)
})

test('a session is its owner’s; one that was stopped or fell silent takes or gives no more', async () => {
  const id = unique('session')
  const { body } = await send('openClaudeSession', 'POST', at(), { session_id: id })
  const { body: made } = await ask(`${me.path}/members`, {
    method: 'POST',
    token: me.token,
    body: { full_name: 'Eve' },
  })
  const { body: theirs } = await ask(`${me.path}/tokens`, {
    method: 'POST',
    token: me.token,
    body: { name: 'eve', user_id: made.id },
  })
  assert.equal((await report(id, line('user', 'Hi'), String(theirs.token))).status, 404)

  const silent = `update outside_sessions set reported_at = now() - interval '13 hours' where session_id = $1`
  await app.pool.query(silent, [id])
  assert.equal(await sweepOutsideSessions(app.pool, { mask: (text) => text }), 1)
  const run = `${me.path}/agent/run/${Number(body.agent_run_id)}`
  assert.partialDeepStrictEqual((await ask(run, { token: me.token })).body, {
    status: 'failed',
    error: { code: 'stuck' },
  })

  assert.equal((await say(id, 'ACTIVE')).body.status, 'in_progress')
  assert.equal((await ask(`${run}/cancel`, { method: 'POST', token: me.token })).body.status, 'cancelled')
  assert.equal((await report(id, line('user', 'Hi'))).status, 409)
  assert.equal((await say(id, 'COMPLETE')).status, 409)
})
