import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { one, rows } from '#db/pool.ts'
import { exampleRequest, isOfSecrets, neededInQuery, type ExampleRequest } from '#test/example-request.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { isOfOrganization, type Route } from './pipeline/route.ts'
import { routes } from './routes/index.ts'

const testing = await testApp()
const { app, ask, member, adminToken } = testing
const ofOrganizations = routes.filter(isOfOrganization)

let me: World
let other: World
before(async () => {
  me = await makeWorld(testing)
  other = await makeWorld(testing)
})

const send = ({ path, method, body }: ExampleRequest, query = ''): Promise<Answer> =>
  ask(`${path}${query}`, { method, token: me.token, ...(body && { body }) })

const fieldsOf = (schema: Route['body']) => Object.keys(schema?.properties ?? {})
/** Ids that somebody else has given out. */
const ofOthers = ['app_id', 'installation_id', 'github_user_id', 'session_id']
const isId = (name: string) => (/_ids?$/.test(name) && !ofOthers.includes(name)) || name === 'pull_request'

/** What an id is one of, where its name does not say it. */
const nouns: Record<string, string> = {
  agent_run_id: 'run',
  parent_run_id: 'run',
  pull_request: 'pull',
  pr_id: 'pull',
  name: 'artifact',
  check_key: 'check_log',
  session_id: 'run',
}
const nounOf = (route: Route, name: string) =>
  name === 'name' && isOfSecrets(route) ? 'secret' : (nouns[name] ?? name.replace(/_ids?$/, ''))

/** A request that is one's own in all but one id, in this part of it and of this name. */
type Foreign = { part: 'path' | 'body' | 'query'; name: string; request: ExampleRequest; query?: string }

/** The same request with each of its ids in turn replaced by that of the other organization. */
function foreignRequests(route: Route): Foreign[] {
  // Numbers that are counted in each run, commits and engines are the same in all organizations.
  const ofPath = [...route.path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    // What PUT names it makes, where it is not there.
    .filter(
      (name) =>
        name !== 'org_id' &&
        name !== 'n' &&
        name !== 'sha' &&
        name !== 'engine' &&
        !(name === 'name' && route.method === 'PUT'),
    )
  const params = {
    ...other.ids,
    check_key: other.checkKey,
    session_id: other.session,
    name: isOfSecrets(route) ? other.secret : other.file,
  } as Record<string, string | number>
  const idOf = (name: string) => {
    assert.ok(name in params, `${route.operationId}: makeWorld makes no ${name}`)
    return params[name]!
  }
  return [
    ...ofPath.map((name) => ({
      part: 'path' as const,
      name,
      request: exampleRequest(route, me, { params: { [name]: idOf(name) } }),
    })),
    ...fieldsOf(route.body)
      .filter(isId)
      .map((name) => ({
        part: 'body' as const,
        name,
        request: exampleRequest(route, me, { body: { [name]: name.endsWith('_ids') ? [idOf(name)] : idOf(name) } }),
      })),
    ...fieldsOf(route.query)
      .filter(isId)
      .map((name) => ({ part: 'query' as const, name, ...asking(route, name, idOf(name)) })),
  ]
}

function asking(route: Route, name: string, id: string | number): Pick<Foreign, 'request' | 'query'> {
  if (neededInQuery(route).includes(name)) return { request: exampleRequest(route, me, { params: { [name]: id } }) }
  return { request: exampleRequest(route, me), query: `?${name}=${id}` }
}

/** The query of everything that the database holds of an organization, but when its tokens were used last and who tried what, as one text. */
async function stateQuery(): Promise<string> {
  const tables = await rows<{ name: string }>(
    app.pool,
    `select format('%I', c.table_name) as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
       and c.table_name <> 'audit_entries' order by 1`,
  )
  const texts = tables.map(
    ({ name }) =>
      `(select '${name} ' || coalesce(string_agg(r::text, '; ' order by r::text), '') from ${name} t, lateral (select to_jsonb(t) - 'last_used_at' as r) r where organization_id = $1)`,
  )
  return `select concat_ws(e'\\n', ${texts.join(', ')}) as text`
}

const ofOrganization = await stateQuery()
const stateOf = async ({ organizationId }: World) =>
  (await one<{ text: string }>(app.pool, ofOrganization, [organizationId])).text

for (const route of ofOrganizations) {
  test(`${route.operationId}: another organization is forbidden, whether it exists or not`, async () => {
    const earlier = await stateOf(other)
    const answers = []
    for (const org_id of [other.organizationId, 9_007_199_254_740_991]) {
      const answer = await send(exampleRequest(route, other, { params: { org_id } }))
      assert.equal(answer.status, 403)
      assert.ok(!answer.text.includes(other.word))
      const { request_id: _, ...rest } = answer.body
      answers.push(rest)
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(await stateOf(other), earlier)
  })

  test(`${route.operationId}: what it names of another organization under one’s own is not found`, async () => {
    const earlier = [await stateOf(me), await stateOf(other)]
    for (const { part, name, request, query } of foreignRequests(route)) {
      const answer = await send(request, query)
      // A filter by what is not there finds nothing.
      const isEmpty = part === 'query' && answer.status === 200
      const isMissing = answer.status === 404 && answer.body.code === `${nounOf(route, name)}_not_found`
      assert.ok(isMissing || isEmpty, `${part}.${name}: ${answer.text}`)
      assert.ok(!answer.text.includes(other.word), `${part}.${name}`)
    }
    assert.deepEqual([await stateOf(me), await stateOf(other)], earlier)
  })

  if (route.method === 'GET')
    test(`${route.operationId}: nothing of another organization is in what one reads`, async () => {
      const search = fieldsOf(route.query).includes('q') ? `?q=${other.word}` : ''
      const request = exampleRequest(route, me)
      // A stream has no end; what it tells is the matter of its own test.
      if (route.success.mediaType === 'text/event-stream') return
      for (const query of ['', search]) {
        const answer = await send(request, query)
        assert.equal(answer.status, 200)
        assert.ok(!answer.text.includes(other.word))
      }
    })
}

test('what is tried under one’s own organization is in the audit log of that one alone', async () => {
  const entries = 'select count(*)::int as count from audit_entries where organization_id = $1 and user_id = $2'
  const count = async ({ organizationId }: World) =>
    (await one<{ count: number }>(app.pool, entries, [organizationId, me.userId])).count
  assert.ok((await count(me)) > 0)
  assert.equal(await count(other), 0)
})

test('the list of organizations names one’s own', async () => {
  const answer = await ask('/v1/organizations', { token: me.token })
  assert.deepEqual(
    (answer.body.items as { id: number }[]).map(({ id }) => id),
    [me.organizationId],
  )
})

test('a token works in its organization only, though its owner is a member of both', async () => {
  await app.pool.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'ADMIN')`, [
    other.organizationId,
    me.userId,
  ])
  assert.equal((await ask(`${other.path}/agent/runs`, { token: me.token })).status, 403)
})

test('the admin of the instance is no member of every organization', async () => {
  assert.equal((await ask(`${other.path}/agent/runs`, { token: adminToken })).status, 403)
  assert.equal((await ask('/v1/organizations/1/agent/runs', { token: adminToken })).status, 200)
})

test('who is no member any more is forbidden at once', async () => {
  const { organizationId, userId, token, path } = await member('MEMBER')
  assert.equal((await ask(`${path}/agent/runs`, { token })).status, 200)
  await app.pool.query('delete from memberships where organization_id = $1 and user_id = $2', [organizationId, userId])
  assert.equal((await ask(`${path}/agent/runs`, { token })).status, 403)
  assert.equal((await ask('/v1/users/me', { token })).status, 403)
})
