import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { roles, may, permissions, scopes, widenScopes, type Permission } from '#domain/accounts/users/roles.ts'
import { makeToken, makeTokenKeys, makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from './build-server.ts'
import { isOfOrganization, type Route } from './pipeline/route.ts'
import { routes } from './routes/index.ts'

const { app, ask, member, rateLimiter } = await testApp()
const { organizationId, token: adminToken, path: organization } = await member()

/** What is asked for has the wrong type, so that who is allowed gets a 406 and nothing is done. */
const ask406 = (route: Route, token: string) =>
  ask(route.path.replace(':org_id', String(organizationId)).replaceAll(/:\w+/g, '1'), {
    method: route.method,
    token,
    headers: { accept: 'image/png' },
  })

for (const role of roles) {
  for (const scope of scopes) {
    test(`a ${role} with a token of the scope ${scope} is let through where the table of roles says so`, async () => {
      const { id: userId } = await makeUser(app.pool, { organizationId, role })
      const token = await makeToken(app.pool, app.tokenKeys, { organizationId, userId, scopes: [scope] })
      for (const route of routes) {
        if (!(route.access in permissions)) continue
        const permission = route.access as Permission
        const holder = { role, scopes: widenScopes([scope]) }
        const isAllowed = isOfOrganization(route)
          ? may(holder, permission)
          : holder.scopes.includes(permissions[permission].scope)
        const answer = await ask406(route, token)
        assert.equal(answer.status, isAllowed ? 406 : 403, `${route.operationId}: ${answer.text}`)
      }
    })
  }
}

test('every permission is asked for by an endpoint, or by git', () => {
  const asked = new Set<string>(routes.map(({ access }) => access))
  const others = ['push', 'manage_all_tokens', 'delete_all_runs', 'manage_integrations']
  assert.deepEqual(
    Object.keys(permissions).filter((permission) => !asked.has(permission) && !others.includes(permission)),
    [],
  )
})

test('a token that is rotated or revoked in one process is refused within a second in another', async () => {
  const elsewhere = await buildServer({
    app: { ...app, tokenKeys: makeTokenKeys({ clock: systemClock }) },
    rateLimiter,
  })
  await elsewhere.listen({ port: 0, host: '127.0.0.1' })
  after(() => elsewhere.close())
  const { port } = elsewhere.server.address() as AddressInfo
  const statusElsewhere = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`http://127.0.0.1:${port}/v1/users/me`, { headers })).status
  }
  /** A second, and what a busy machine takes besides. */
  const untilRefused = async (token: string) => {
    const from = performance.now()
    while ((await statusElsewhere(token)) === 200) assert.ok(performance.now() - from < 10_000, 'still let in')
  }
  const manage = (path: string, method: string, body?: object) =>
    ask(`${organization}/tokens${path}`, { method, token: adminToken, ...(body && { body }) })

  const made = (await manage('', 'POST', { name: 'ci' })).body
  assert.equal(await statusElsewhere(String(made.token)), 200)
  const rotated = (await manage(`/${Number(made.id)}/rotate`, 'POST')).body
  assert.equal(rotated.id, made.id)
  await untilRefused(String(made.token))

  assert.equal(await statusElsewhere(String(rotated.token)), 200)
  assert.equal((await manage(`/${Number(made.id)}`, 'DELETE')).status, 204)
  await untilRefused(String(rotated.token))
})
