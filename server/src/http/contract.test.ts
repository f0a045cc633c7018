import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { one } from '#db/pool.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { documented, type Document } from '#test/documented.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeUser, unique } from '#test/make.ts'
import { testApp, type Answer, type Ask } from '#test/test-app.ts'
import { routes } from './routes/index.ts'

const { app, ask, member, adminToken } = await testApp()
const document = JSON.parse((await ask('/openapi.json')).text) as Document
const assertDocumented = documented(document)

let me: Awaited<ReturnType<typeof member>>
before(async () => {
  me = await member()
})

/** Sends a request and checks the answer against what the document says of this operation and this status. */
async function call(
  operationId: string,
  names: Record<string, unknown> = {},
  request: Ask & { query?: string } = {},
): Promise<Answer> {
  const route = routes.find((one) => one.operationId === operationId)
  assert.ok(route, operationId)
  const values: Record<string, unknown> = { org_id: me.organizationId, ...names }
  const url = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name]))
  const answer = await ask(`${url}${request.query ?? ''}`, { method: route.method, token: me.token, ...request })
  assertDocumented(route, answer)
  return answer
}

const createRun = async (body: Record<string, unknown> = {}) =>
  call('createRun', {}, { body: { prompt: 'Fix it', ...body } })

test('a run is made, and read as it was made', async () => {
  const metadata = { ticket: 7, deep: { list: [1, null, 'é'] } }
  const made = await createRun({ metadata, title: 'A title', timeout_minutes: 5, agent_type: 'scripted' })
  assert.equal(made.status, 200)
  assert.partialDeepStrictEqual(made.body, {
    organization_id: me.organizationId,
    status: 'queued',
    result: null,
    source_type: 'API',
    metadata,
    title: 'A title',
    timeout_minutes: 5,
    agent_type: 'scripted',
    user_id: me.userId,
    github_pull_requests: [],
    turn: 1,
  })
  assert.equal(made.body.web_url, `${app.publicUrl}/runs/${me.organizationId}/${made.body.id}`)
  assert.deepEqual((await call('getRun', { agent_run_id: made.body.id })).body, made.body)
})

test('absent values are null, and every documented field is there', async () => {
  const { body } = await createRun()
  const absent = Object.entries(body)
    .filter(([, value]) => value === null)
    .map(([name]) => name)
  const input = `base_branch branch effort error finished_at host_wait max_cost_usd max_model_calls metadata model parent_run_id paths repo_id result
    result_json started_at summary`
  assert.deepEqual(absent.sort(), input.split(/\s+/))
})

test('without a model the repair engine is the default, and an engine that cannot be used is refused', async () => {
  assert.equal((await createRun()).body.agent_type, 'repair')
  for (const agent_type of ['codegen', 'builtin', 'telepathy']) {
    const refused = await createRun({ agent_type })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.code, 'engine_unavailable')
  }
})

test('Claude Code, where it is not installed, is refused with what to do', async () => {
  const refused = await createRun({ agent_type: 'claude_code' })
  assert.equal(refused.status, 400)
  assert.match(String(refused.body.message), /not installed: run "runwright engines install claude_code"/)
})

test('a run in a repository names it; an unknown repository is not found', async () => {
  const repo = await call('createRepo', {}, { body: { name: unique('repo') } })
  assert.equal((await createRun({ repo_id: repo.body.id })).body.repo_id, repo.body.id)
  const unknown = await createRun({ repo_id: 999_999 })
  assert.equal(unknown.status, 404)
  assert.equal(unknown.body.code, 'repo_not_found')
})

test('a follow-up to a run that has ended is its next turn; a stop ends a queued one', async () => {
  const { body: run } = await createRun()
  const ids = { agent_run_id: run.id }
  assert.equal((await call('cancelRun', ids)).body.status, 'cancelled')
  assert.equal((await call('cancelRun', ids)).status, 409)
  const resumed = await call('resumeRun', {}, { body: { ...ids, prompt: 'Again' } })
  assert.partialDeepStrictEqual(resumed.body, { id: run.id, status: 'queued', turn: 2 })
})

test('what names no run is not found', async () => {
  for (const operation of ['getRun', 'cancelRun', 'getRunDiff', 'listLog', 'listLogAlpha']) {
    const missing = await call(operation, { agent_run_id: 9_007_199_254_740_991 })
    assert.equal(missing.status, 404)
    assert.equal(missing.body.code, 'run_not_found')
  }
  assert.equal((await call('resumeRun', {}, { body: { agent_run_id: 999_999, prompt: 'Go' } })).status, 404)
})

test('the log comes in pages; past its end there is an empty one with true totals', async () => {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const entries = Array.from({ length: 7 }, (_, n) => ({
    messageType: 'PLAN_EVALUATION' as const,
    thought: `thought ${n + 1} "é"\n`,
  }))
  await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
  const read = async (query: string, operation = 'listLog') =>
    (await call(operation, { agent_run_id: run.id }, { query })).body
  const seqs = (body: Record<string, unknown>) => (body.logs as { seq: number }[]).map(({ seq }) => seq)

  const page = await read('?skip=3&limit=3')
  assert.deepEqual(seqs(page), [4, 5, 6])
  assert.partialDeepStrictEqual(page, { id: run.id, status: 'in_progress', total_logs: 7, page: 2, size: 3, pages: 3 })
  assert.deepEqual(seqs(await read('?skip=6&limit=3')), [7])
  assert.deepEqual(seqs(await read('?limit=2&reverse=true')), [7, 6])
  assert.deepEqual(seqs(await read('')), [1, 2, 3, 4, 5, 6, 7])
  for (const skip of [7, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    assert.partialDeepStrictEqual(await read(`?skip=${skip}`), { logs: [], total_logs: 7, size: 100, pages: 1 })
  }
  assert.deepEqual(await read('?skip=3&limit=3', 'listLogAlpha'), page)
})

test('the logs endpoint says that it is alpha', async () => {
  const { body: run } = await createRun()
  assert.equal((await call('listLog', { agent_run_id: run.id })).headers.get('x-api-stability'), 'alpha')
})

test('a run that has pushed nothing has an empty diff', async () => {
  const { body: run } = await createRun()
  const diff = await call('getRunDiff', { agent_run_id: run.id })
  assert.equal(diff.text, '')
  assert.match(diff.headers.get('content-type') ?? '', /^text\/x-diff/)
})

test('runs are listed newest first, and filtered', async () => {
  me = await member()
  const runs = [
    await createRun({ prompt: 'Paint it 100%' }),
    await createRun({ agent_type: 'scripted' }),
    await createRun(),
  ]
  const ids = runs.map(({ body }) => body.id)
  await call('cancelRun', { agent_run_id: ids[2] })
  const list = async (query: string) => {
    const { body } = await call('listRuns', {}, { query })
    return (body.items as { id: number }[]).map(({ id }) => ids.indexOf(id))
  }
  assert.deepEqual(await list(''), [2, 1, 0])
  assert.deepEqual(await list('?limit=1&skip=1'), [1])
  assert.deepEqual(await list('?status=cancelled'), [2])
  assert.deepEqual(await list('?status=cancelled&status=queued'), [2, 1, 0])
  assert.deepEqual(await list('?agent_type=scripted'), [1])
  assert.deepEqual(await list('?q=100%25'), [0])
  assert.deepEqual(await list(`?user_id=${me.userId}&source_type=API`), [2, 1, 0])
  assert.deepEqual(await list('?source_type=SLACK'), [])
  assert.deepEqual(await list('?archived=true'), [])
  const second = encodeURIComponent(String(runs[1]?.body.created_at))
  assert.deepEqual(await list(`?created_after=${second}`), [2, 1])
  assert.deepEqual(await list(`?created_before=${second}`), [0])
  assert.deepEqual(await list('?unknown=1&unknown=2'), [2, 1, 0])
  assert.partialDeepStrictEqual((await call('listRuns', {}, { query: '?skip=50' })).body, {
    items: [],
    total: 3,
    page: 1,
    pages: 1,
  })
})

test('a repository is made empty, listed, and read; its name is taken once', async () => {
  const name = unique('repo')
  const made = await call('createRepo', {}, { body: { name } })
  assert.equal(made.status, 201)
  assert.equal(made.body.git_url, `${app.publicUrl}/git/${me.organizationId}/${name}.git`)
  assert.deepEqual((await call('getRepo', { repo_id: made.body.id })).body, made.body)
  assert.ok(((await call('listRepos')).body.items as object[]).length)
  assert.equal((await call('createRepo', {}, { body: { name: name.toUpperCase() } })).status, 409)
  assert.equal((await call('createRepo', {}, { body: {} })).status, 400)
  assert.equal((await call('createRepo', {}, { body: { import_from: '/etc' } })).body.code, 'import_not_allowed')
  assert.equal((await call('getRepo', { repo_id: 999_999 })).status, 404)
})

test('an organization is made by an admin of the instance, who becomes its ADMIN', async () => {
  const name = unique('organization')
  assert.equal((await call('createOrganization', {}, { body: { name } })).status, 403)
  const made = await call('createOrganization', {}, { body: { name }, token: adminToken })
  assert.equal(made.status, 201)
  const listed = await call('listOrganizations', {}, { token: adminToken })
  assert.deepEqual((listed.body.items as object[]).at(-1), made.body)
  const users = await call('listUsers', { org_id: made.body.id }, { token: adminToken })
  assert.partialDeepStrictEqual(users.body, { items: [{ role: 'ADMIN', is_admin: true }], total: 1 })
})

test('a token sees the one organization that it works in', async () => {
  const { body } = await call('listOrganizations')
  assert.partialDeepStrictEqual(body, { items: [{ id: me.organizationId }], total: 1 })
})

test('users are listed and read; who the token speaks for is known', async () => {
  const { user_custom_prompt, ...myself } = (await call('getMe')).body
  assert.equal(user_custom_prompt, null)
  assert.partialDeepStrictEqual(myself, { id: me.userId, role: 'ADMIN', github_username: '' })
  assert.deepEqual((await call('getUser', { user_id: me.userId })).body, myself)
  assert.equal((await call('getUser', { user_id: 999_999 })).status, 404)
})

test('an ADMIN adds people and service accounts, once', async () => {
  const body = { email: `${unique('Linus')}@Example.com`, full_name: 'Linus', role: 'MANAGER' }
  const added = await call('createMember', {}, { body })
  assert.partialDeepStrictEqual(added.body, { email: body.email.toLowerCase(), full_name: 'Linus', role: 'MANAGER' })
  assert.equal((await call('createMember', {}, { body })).status, 409)
  const service = await call('createMember', {}, { body: { full_name: 'Build' } })
  assert.partialDeepStrictEqual(service.body, { email: null, role: 'MEMBER' })
  assert.equal((await call('createMember', {}, { body: { email: 'nobody' } })).status, 400)
})

test('the secret of a token is shown once; a token that was ended works no more', async () => {
  const made = await call('createToken', {}, { body: { name: 'laptop' } })
  const secret = String(made.body.token)
  assert.match(secret, /^rw_[0-9A-Za-z]{36}$/)
  const listed = await call('listTokens')
  assert.ok(listed.text.includes('laptop') && !listed.text.includes(secret))
  assert.equal((await call('getMe', {}, { token: secret })).status, 200)
  assert.equal((await call('revokeToken', { token_id: made.body.id })).status, 204)
  assert.equal((await call('getMe', {}, { token: secret })).status, 401)
  assert.equal((await call('revokeToken', { token_id: made.body.id })).status, 404)
})

test('a token ends at its time, which lies ahead', async () => {
  const create = (expires_at: string) => call('createToken', {}, { body: { name: 'short', expires_at } })
  assert.equal((await create(new Date(Date.now() + 60_000).toISOString())).status, 201)
  assert.equal((await create('2020-01-01T00:00:00Z')).status, 400)
  assert.equal((await create('tomorrow')).status, 400)
  assert.equal((await create('2030-12-31T23:59:60Z')).status, 400)
})

test('what a role may do: a MEMBER runs agents, a MANAGER repositories too, an ADMIN the people', async () => {
  const other = await makeUser(app.pool, { organizationId: me.organizationId })
  const statuses = async (role: 'MEMBER' | 'MANAGER' | 'ADMIN') => {
    const user = await makeUser(app.pool, { organizationId: me.organizationId, role })
    const { body } = await call('createToken', {}, { body: { name: role, user_id: user.id } })
    const token = String(body.token)
    return [
      (await call('createRun', {}, { token, body: { prompt: 'Go' } })).status,
      (await call('createRepo', {}, { token, body: { name: unique('repo') } })).status,
      (await call('createMember', {}, { token, body: { full_name: 'Bot' } })).status,
      (await call('createToken', {}, { token, body: { name: 'theirs', user_id: other.id } })).status,
    ]
  }
  assert.deepEqual(await statuses('MEMBER'), [200, 403, 403, 403])
  assert.deepEqual(await statuses('MANAGER'), [200, 201, 403, 403])
  assert.deepEqual(await statuses('ADMIN'), [200, 201, 201, 201])
})

test('a token is narrowed to a scope, which is shown, and rotated', async () => {
  const made = await call('createToken', {}, { body: { name: 'ci', scopes: ['run'] } })
  assert.deepEqual(made.body.scopes, ['read', 'run'])
  const token = String(made.body.token)
  assert.equal((await call('createRun', {}, { token, body: { prompt: 'Go' } })).status, 200)
  assert.equal((await call('createToken', {}, { token, body: { name: 'more' } })).status, 403)
  assert.equal((await call('updateMe', {}, { token, body: { full_name: 'Else' } })).status, 403)
  const rotated = await call('rotateToken', { token_id: made.body.id })
  assert.notEqual(rotated.body.token, token)
  assert.deepEqual([rotated.body.id, rotated.body.scopes], [made.body.id, ['read', 'run']])
  assert.equal((await call('getMe', {}, { token })).status, 401)
  assert.equal((await call('getMe', {}, { token: String(rotated.body.token) })).status, 200)
  assert.equal((await call('rotateToken', { token_id: 999_999 })).status, 404)
  for (const scopes of [[], ['write'], 'read', [['read']]]) {
    assert.equal((await call('createToken', {}, { body: { name: 'ci', scopes } })).status, 400)
  }
})

test('an organization is read and configured; what is left out stays', async () => {
  me = await member()
  const name = unique('organization')
  const input = { max_running: 7 }
  const default_models = ['openai/gpt-5', 'anthropic/claude']
  const { body: first } = await call('getOrganization')
  const changed = await call(
    'updateOrganization',
    {},
    {
      body: {
        name,
        limits: input,
        labels: ['gpu', 'arm', 'gpu'],
        default_models,
        settings: { enable_pr_creation: false },
      },
    },
  )
  const settings = { ...(first.settings as object), enable_pr_creation: false }
  const limits = { ...(first.limits as object), ...input }
  assert.deepEqual(changed.body, { ...first, name, settings, limits, labels: ['arm', 'gpu'], default_models })
  assert.deepEqual((await call('updateOrganization', {}, { body: {} })).body, changed.body)
  assert.deepEqual((await call('getOrganization')).body, changed.body)
  const wrong = [
    { name: ' ' },
    { limits: { max_running: 0 } },
    { settings: { enable_pr_creation: 'no' } },
    { name: 1 },
    { labels: ['GPU'] },
    { labels: 'gpu' },
    { default_models: [' '] },
    { default_models: Array.from({ length: 11 }, (_, n) => `model-${n}`) },
  ]
  for (const body of wrong) assert.equal((await call('updateOrganization', {}, { body })).status, 400)
})

test('a repository is configured: which workers may take its runs, among others', async () => {
  me = await member()
  const { body: repo } = await call('createRepo', {}, { body: { name: unique('repo') } })
  const change = (body: object) => call('updateRepo', { repo_id: repo.id }, { body })
  const changed = await change({ labels: ['linux', 'gpu'], description: 'Shop', archived: true })
  assert.deepEqual(changed.body, { ...repo, labels: ['gpu', 'linux'], description: 'Shop', archived: true })
  assert.deepEqual((await change({})).body, changed.body)
  assert.deepEqual((await change({ labels: null, archived: null })).body, changed.body)
  assert.deepEqual((await change({ labels: [], description: null, archived: false })).body, repo)
  for (const body of [{ labels: ['a b'] }, { labels: [''] }, { archived: 'yes' }])
    assert.equal((await change(body)).status, 400)
})

test('a repository says how its work tree is prepared, and which models its runs use', async () => {
  const { body: repo } = await call('createRepo', {}, { body: { name: unique('repo') } })
  const change = (body: object) => call('updateRepo', { repo_id: repo.id }, { body })
  assert.partialDeepStrictEqual(repo, { setup_commands: null, default_models: [], environment_secrets: [] })
  const configured = { setup_commands: 'npm ci\nnpm run build', default_models: ['b', 'a', 'b'] }
  const changed = await change(configured)
  assert.deepEqual(changed.body, { ...repo, ...configured, default_models: ['b', 'a'] })
  assert.deepEqual((await change({ default_models: null })).body, changed.body)
  assert.deepEqual((await change({ setup_commands: null, default_models: [] })).body, repo)
  for (const body of [{ setup_commands: ' ' }, { setup_commands: 'x'.repeat(16_001) }, { default_models: 'a' }])
    assert.equal((await change(body)).status, 400)
})

test('a repository gives secrets to all commands of its runs, if there are such', async () => {
  const { body: repo } = await call('createRepo', {}, { body: { name: unique('repo') } })
  const repo_id = repo.id
  const change = (body: object) => call('updateRepo', { repo_id }, { body })
  const name = unique('OF_ORGANIZATION').replaceAll('-', '_')
  await call('saveSecret', { name }, { body: { value: 'the first value' } })
  await call('saveRepoSecret', { repo_id, name: 'OF_REPO' }, { body: { value: 'the second value' } })
  const changed = await change({ environment_secrets: ['OF_REPO', name, 'OF_REPO'] })
  assert.deepEqual(changed.body.environment_secrets, [name, 'OF_REPO'].sort())
  const refused = await change({ environment_secrets: ['NONE'] })
  assert.equal(refused.status, 400)
  assert.match(String(refused.body.message), new RegExp(`no secret NONE\\. There are: .*${name}, OF_REPO\\.`))
  assert.deepEqual((await call('getRepo', { repo_id })).body, changed.body)
})

test('a secret goes in and never comes out', async () => {
  const repo_id = (await call('createRepo', {}, { body: { name: unique('repo') } })).body.id
  const value = unique('its value is')
  for (const [kind, names] of [
    ['Secret', {}],
    ['RepoSecret', { repo_id }],
  ] as const) {
    const at = { ...names, name: unique('TOKEN').replaceAll('-', '_') }
    const saved = await call(`save${kind}`, at, { body: { value } })
    assert.deepEqual(Object.keys(saved.body).sort(), ['created_at', 'name', 'updated_at'])
    const again = await call(`save${kind}`, at, { body: { value: `${value}, then another` } })
    assert.ok(String(again.body.updated_at) > String(again.body.created_at))
    const listed = await call(`list${kind}s`, names)
    assert.deepEqual(
      (listed.body.items as { name: string }[]).filter(({ name }) => name === at.name),
      [again.body],
    )
    for (const answer of [saved, again, listed]) assert.ok(!answer.text.includes(value))
    assert.equal((await call(`remove${kind}`, at)).status, 204)
    assert.equal((await call(`remove${kind}`, at)).body.code, 'secret_not_found')
  }
})

test('what no secret can be is refused, and the refusal does not repeat it', async () => {
  const save = (name: string, value: unknown) => call('saveSecret', { name }, { body: { value } })
  for (const name of ['1ST', 'WITH-DASH', 'x'.repeat(101), 'PATH', 'LD_PRELOAD', 'RUNWRIGHT_X'])
    assert.equal((await save(name, 'a good value')).status, 400, name)
  for (const value of ['2short', 'aaaabbbbaaaa', `${'long '.repeat(4_000)}!`, 12_345_678, null, ['a good value']])
    assert.deepEqual((await save('GOOD', value)).body.code, 'invalid_request')
  const broken = await call(
    'saveSecret',
    { name: 'GOOD' },
    { body: '{"value": "half a "secret" value"}', headers: { 'content-type': 'application/json' } },
  )
  assert.equal(broken.status, 400)
  for (const answer of [await save('GOOD', '2short'), broken])
    assert.ok(!/2short|secret"? value/.test(answer.text), answer.text)
})

test('secrets are the matter of MANAGERs', async () => {
  const { organizationId: org_id, token } = await member('MEMBER')
  const at = { org_id, name: 'TOKEN' }
  assert.equal((await call('listSecrets', at, { token })).status, 403)
  assert.equal((await call('saveSecret', at, { token, body: { value: 'a good value' } })).status, 403)
  const manager = await member('MANAGER')
  const own = { org_id: manager.organizationId, name: 'TOKEN' }
  assert.equal((await call('saveSecret', own, { token: manager.token, body: { value: 'a good value' } })).status, 200)
  assert.equal((await call('listSecrets', own, { token: manager.token })).body.total, 1)
})

test('members are listed, given another role, and removed with their tokens; the last ADMIN stays', async () => {
  me = await member()
  const { body: added } = await call('createMember', {}, { body: { full_name: 'Bot' } })
  const made = await call('createToken', {}, { body: { name: 'bot', user_id: added.id } })
  const promoted = await call('updateMember', { user_id: added.id }, { body: { role: 'MANAGER' } })
  assert.deepEqual(promoted.body, { ...added, role: 'MANAGER' })
  const listed = await call('listMembers')
  assert.deepEqual((listed.body.items as object[]).at(-1), promoted.body)
  assert.deepEqual(listed.body, (await call('listUsers')).body)
  assert.equal((await call('updateMember', { user_id: added.id }, { body: { role: 'KING' } })).status, 400)
  assert.equal((await call('removeMember', { user_id: added.id })).status, 204)
  assert.equal((await call('removeMember', { user_id: added.id })).status, 404)
  assert.equal((await call('updateMember', { user_id: added.id }, { body: { role: 'MEMBER' } })).status, 404)
  assert.equal((await call('getMe', {}, { token: String(made.body.token) })).status, 401)
  // Whoever made the organization is its other ADMIN.
  const admins = ((await call('listMembers')).body.items as { id: number }[]).filter(({ id }) => id !== me.userId)
  for (const { id } of admins) assert.equal((await call('removeMember', { user_id: id })).status, 204)
  assert.equal((await call('removeMember', { user_id: me.userId })).body.code, 'last_admin')
  assert.equal((await call('updateMember', { user_id: me.userId }, { body: { role: 'MEMBER' } })).status, 409)
})

test('the rules of the organization and the prompt of the user are written, read and taken away', async () => {
  const rules = 'Tests first.\n\tThen code.'
  assert.deepEqual((await call('getRules')).body, { rules: null })
  assert.deepEqual((await call('saveRules', {}, { body: { rules } })).body, { rules })
  assert.deepEqual((await call('getRules')).body, { rules })
  const changed = await call('updateMe', {}, { body: { user_custom_prompt: 'Be brief.' } })
  assert.partialDeepStrictEqual(changed.body, { full_name: 'Grace', user_custom_prompt: 'Be brief.' })
  assert.deepEqual((await call('getClientRules')).body, { organization_rules: rules, user_custom_prompt: 'Be brief.' })
  assert.deepEqual((await call('updateMe', {}, { body: {} })).body, changed.body)
  const cleared = await call('updateMe', {}, { body: { full_name: null, user_custom_prompt: null } })
  assert.partialDeepStrictEqual(cleared.body, { full_name: null, user_custom_prompt: null })
  assert.equal((await call('saveRules', {}, { body: {} })).status, 400)
  assert.equal((await call('saveRules', {}, { body: { rules: 'x'.repeat(32_001) } })).status, 400)
  assert.equal((await call('updateMe', {}, { body: { full_name: '' } })).status, 400)
})

test('the integrations name the organization and its built-in host', async () => {
  const { body } = await call('listIntegrations')
  assert.partialDeepStrictEqual(body, { organization_id: me.organizationId, total_active_integrations: 1 })
})

test('health, readiness and status need no token', async () => {
  assert.equal((await call('getHealth', {}, { token: '' })).status, 200)
  assert.equal((await call('getReadiness', {}, { token: '' })).status, 200)
  assert.equal((await call('getServiceStatus', {}, { token: '' })).status, 200)
})

test('every operation that takes a token documents what all of them may answer', () => {
  for (const route of routes.filter(({ access }) => access !== 'public')) {
    const template = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const statuses = Object.keys(document.paths[template]?.[route.method.toLowerCase()]?.responses ?? {})
    for (const status of ['401', '500', '503']) assert.ok(statuses.includes(status), `${route.operationId} ${status}`)
  }
})

test('the committed openapi.json is what the server serves', () => {
  const committed = readFileSync(path.resolve(import.meta.dirname, '../../../openapi.json'), 'utf8')
  assert.deepEqual(JSON.parse(committed), document)
})

test('a run keeps what it was given although names in it look like those of objects', async () => {
  const metadata = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  ) as object
  const body = `{"prompt": "Go", "__proto__": {"prompt": 1}, "metadata": ${JSON.stringify(metadata)}}`
  const made = await call('createRun', {}, { body })
  assert.equal(made.status, 200)
  assert.equal(JSON.stringify(made.body.metadata), JSON.stringify(metadata))
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  const { metadata: stored } = await one<{ metadata: object }>(app.pool, 'select metadata from runs where id = $1', [
    made.body.id,
  ])
  assert.deepEqual(Object.keys(stored).sort(), ['__proto__', 'constructor'])
})

test('lists and streams give the beginning of long texts and say so; the run itself gives all of them', async () => {
  const prompt = 'é'.repeat(100_000)
  const { body: run } = await createRun({ prompt, title: unique('long') })
  assert.deepEqual([run.prompt, run.truncated], [prompt, []])
  const { body: listed, text } = await call('listRuns', {}, { query: `?limit=1&q=${String(run.title)}` })
  const [item] = listed.items as { prompt: string; truncated: string[] }[]
  assert.deepEqual([item?.prompt, item?.truncated], [prompt.slice(0, 2_000), ['prompt']])
  assert.ok(text.length < 10_000)
  const { body: whole } = await call('getRun', { agent_run_id: run.id })
  assert.deepEqual([whole.prompt, whole.truncated], [prompt, []])
})

test('a filter by engine takes any of its names, and refuses one that is none', async () => {
  const { body: run } = await createRun({ agent_type: 'repair' })
  // As it is stored where a model is configured, under each of its names.
  await app.pool.query(`update runs set agent_type = 'builtin' where id = $1`, [run.id])
  for (const name of ['codegen', 'builtin']) {
    const { body } = await call('listRuns', {}, { query: `?agent_type=${name}` })
    assert.deepEqual(
      (body.items as { id: number }[]).map(({ id }) => id),
      [run.id],
    )
  }
  const refused = await call('listRuns', {}, { query: '?agent_type=telepathy' })
  assert.equal(refused.status, 400)
  const [detail] = refused.body.detail as { loc: string[]; msg: string }[]
  assert.deepEqual(detail?.loc, ['query', 'agent_type'])
  assert.match(detail?.msg ?? '', /builtin, claude_code, repair/)
})

test('an import that is refused uses up no id', async () => {
  const before = await call('createRepo', {}, { body: { name: unique('repo') } })
  for (const import_from of ['/etc', 'ssh://host/x.git', 'http://127.0.0.1/x.git'])
    assert.equal((await call('createRepo', {}, { body: { name: unique('repo'), import_from } })).status, 400)
  const after = await call('createRepo', {}, { body: { name: unique('repo') } })
  assert.equal(after.body.id, Number(before.body.id) + 1)
})
