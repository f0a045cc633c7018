import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { one } from '#db/pool.ts'
import { saveArtifact } from '#domain/artifacts/save-artifact.ts'
import { openPull } from '#domain/pulls/open-pull.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeUser, unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { isOfOrganization, type Route } from './route.ts'
import { routes } from './routes/index.ts'

const { app, ask, member, adminToken } = await testApp()
const secret = unique('canary')
const ofOrganizations = routes.filter(isOfOrganization)

let me: Awaited<ReturnType<typeof member>>
let other: Awaited<ReturnType<typeof member>>
/** What belongs to the other organization, by the names that paths and bodies use. */
let theirs: Record<string, number>
/** The name of a file that a run of theirs has left. */
const file = `${secret}.txt`

before(async () => {
  me = await member()
  other = await member()
  const { organizationId, userId } = other
  const make = (path: string, body: object) => ask(`${other.path}${path}`, { method: 'POST', token: other.token, body })
  const repo = await make('/repos', { name: secret })
  const run = await makeRun(app.pool, { organizationId, userId, prompt: secret, repoId: Number(repo.body.id) })
  const token = await make('/tokens', { name: secret })
  const user = await makeUser(app.pool, { organizationId, email: `${secret}@example.com` })
  const { pull } = await openPull(app.pool, {
    organizationId,
    repoId: Number(repo.body.id),
    runId: run.id,
    title: secret,
    body: secret,
    headBranch: secret,
    baseBranch: 'main',
    headCommit: '0'.repeat(40),
    publicUrl: '',
  })
  await app.pool.query('insert into questions (organization_id, run_id, n, text) values ($1, $2, 1, $3)', [
    organizationId,
    run.id,
    secret,
  ])
  const { holder } = await makeHeldRun(app.pool, { organizationId, userId })
  const blob = await app.blobs.put(organizationId, Buffer.from(secret))
  await saveArtifact(app.pool, { holder, name: file, contentType: 'text/plain', blob })
  await app.pool.query('update artifacts set run_id = $2 where organization_id = $1', [organizationId, run.id])
  theirs = {
    agent_run_id: run.id,
    parent_run_id: run.id,
    pull_request: pull.id,
    repo_id: Number(repo.body.id),
    token_id: Number(token.body.id),
    user_id: user.id,
    n: 1,
  }
})

function fill(route: Route, values: Record<string, number>): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (name === 'name') return file
    assert.ok(name in values, `this test makes no ${name}`)
    return String(values[name])
  })
}

/** A body that is right in all but whose ids it names. */
function bodyOf(route: Route): object | undefined {
  const plain: Record<string, unknown> = {
    prompt: 'Go',
    name: unique('name'),
    full_name: 'Bot',
    role: 'MEMBER',
    rules: secret,
    answer: 'yes',
  }
  const fields = Object.keys(route.body?.properties ?? {})
  const entries = fields.flatMap((name) =>
    name in theirs ? [[name, theirs[name]]] : name in plain ? [[name, plain[name]]] : [],
  )
  return route.body ? Object.fromEntries(entries) : undefined
}

const count = async () => {
  const tables = ['runs', 'repos', 'credentials', 'memberships', 'messages', 'questions', 'artifacts'].map(
    (table) => `(select count(*) from ${table} where organization_id = $1)`,
  )
  return (
    await one<{ n: string }>(
      app.pool,
      `select concat_ws(' ', ${tables.join(', ')}, (select string_agg(status || turn, '') from run_heads where organization_id = $1)) as n`,
      [other.organizationId],
    )
  ).n
}

for (const route of ofOrganizations) {
  test(`${route.operationId}: another organization is forbidden, whether it exists or not`, async () => {
    const earlier = await count()
    const answers = []
    for (const org_id of [other.organizationId, 9_007_199_254_740_991]) {
      const body = bodyOf(route)
      const answer = await ask(fill(route, { ...theirs, org_id }), {
        method: route.method,
        token: me.token,
        ...(body && { body }),
      })
      assert.equal(answer.status, 403)
      assert.ok(!answer.text.includes(secret))
      const { request_id: _, ...rest } = answer.body
      answers.push(rest)
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(await count(), earlier)
  })

  const takesId =
    /:(?!org_id)/.test(route.path) || Object.keys(route.body?.properties ?? {}).some((name) => name.endsWith('_id'))
  if (!takesId) continue
  test(`${route.operationId}: an id of another organization under one’s own is not found`, async () => {
    const earlier = await count()
    const body = bodyOf(route)
    const answer = await ask(fill(route, { ...theirs, org_id: me.organizationId }), {
      method: route.method,
      token: me.token,
      ...(body && { body }),
    })
    assert.equal(answer.status, 404, answer.text)
    assert.ok(!answer.text.includes(secret))
    assert.equal(await count(), earlier)
  })
}

test('lists show nothing of other organizations, whatever they are filtered by', async () => {
  const { id } = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  for (const route of routes.filter(
    ({ operationId }) => operationId.startsWith('list') && !operationId.startsWith('listLog'),
  )) {
    const filters = Object.keys(route.query?.properties ?? {}).filter((name) => name in theirs)
    for (const query of ['', ...filters.map((name) => `?${name}=${theirs[name]}`), `?q=${secret}`]) {
      const answer = await ask(`${fill(route, { org_id: me.organizationId, agent_run_id: id })}${query}`, {
        token: me.token,
      })
      assert.equal(answer.status, 200)
      assert.ok(!answer.text.includes(secret), `${route.operationId}${query}`)
    }
  }
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
