// Webhooks of a service that GitHub can reach are made and kept by the service itself.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { appEvents } from '#adapters/codehosts/github/app-forms.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { one, rows } from '#db/pool.ts'
import { listHooks } from '#domain/hosts/integrations/list-hooks.ts'
import { startGitHubServer } from '#test/github-server.ts'
import { unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { workOff } from '#test/work-off.ts'

const server = await startGitHubServer()
after(() => server[Symbol.asyncDispose]())
const testing = await testApp({ env: { RUNWRIGHT_PRIVATE_HOSTS: new URL(server.url).host } })
const { app, ask, member } = testing
const publicUrl = 'https://runwright.example.com'

type Shown = { id: number; problem: string | null; webhook_url: string }
type Webhooks = { status: string; message: string; url: string | null }

/** An organization whose service is at an address that GitHub can reach. */
async function begin() {
  const owner = unique('acme')
  const me = await member()
  const send = (method: string, path: string, body?: unknown) =>
    ask(`${me.path}${path}`, { method, token: me.token, ...(body !== undefined && { body }) })
  /** As `by` a worker would; answers how many requests changed anything at GitHub. */
  const sync = async (by = publicUrl) => {
    const before = server.requests.length
    await app.pool.query(`update jobs set due_at = now() where kind = 'sync' and organization_id = $1`, [
      me.organizationId,
    ])
    await workOff({ ...app, publicUrl: by }, { kinds: ['sync'] })
    return server.requests.slice(before).filter(({ method, path }) => method !== 'GET' && path.includes('/hook')).length
  }
  const connect = async (credentials: Record<string, unknown>) => {
    const made = await send('POST', '/integrations', { type: 'github', base_url: server.apiUrl, ...credentials })
    assert.equal(made.status, 201, made.text)
    const shown = made.body as Shown
    return { ...shown, url: publicUrl + new URL(shown.webhook_url).pathname }
  }
  const webhooks = async () =>
    (
      await one<{ webhooks: Webhooks }>(
        app.pool,
        `select checks->'webhooks' as webhooks from integrations where organization_id = $1`,
        [me.organizationId],
      )
    ).webhooks
  return { ...me, owner, send, sync, connect, webhooks }
}

/** A token of somebody, and a repository in which that person is this. */
async function beginWithToken(role: 'admin' | 'write') {
  const there = await begin()
  const ada = server.addPerson(unique('ada'))
  const repository = await server.addRepository({ owner: there.owner, name: 'web', roles: { [ada.login]: role } })
  const hooks = () => server.world.hooks.filter((hook) => hook.owner === repository)
  return { ...there, ada, repository, hooks }
}

test('a token’s repositories send their webhooks here, and what somebody breaks of that is repaired', async () => {
  const { ada, connect, sync, hooks, webhooks, send, owner, organizationId } = await beginWithToken('admin')
  const { id, url } = await connect({ token: ada.token })
  assert.equal(await sync(), 1)
  const [hook, ...others] = hooks()
  assert.ok(hook && !others.length)
  assert.partialDeepStrictEqual(hook, { url, contentType: 'json', isActive: true, events: appEvents })
  assert.deepEqual(await webhooks(), { status: 'ok', message: '1 of 1 repository sends its webhooks here.', url: null })
  assert.equal(await sync(), 0, 'what is right is left alone')
  for (const broken of [
    { isActive: false },
    { events: ['push'] },
    { contentType: 'form' as const },
    { url: url.replace('runwright', 'formerly') },
  ]) {
    Object.assign(hook, broken)
    assert.equal(await sync(), 1)
    assert.partialDeepStrictEqual(hook, { url, contentType: 'json', isActive: true })
    assert.deepEqual(new Set(hook.events), new Set(appEvents))
  }
  const { secret } = hook
  await send('PATCH', `/integrations/${id}`, { webhook_secret: 'another secret of it' })
  assert.equal(await sync(), 1)
  assert.equal(hook.secret, 'another secret of it')
  assert.notEqual(secret, hook.secret)
  server.world.hooks.splice(server.world.hooks.indexOf(hook), 1)
  assert.equal(await sync(), 1)
  const [again] = hooks()
  // The same service, as the server of this test can reach it.
  again!.url = testing.url + new URL(url).pathname
  await ada.ask('POST', `/repos/${owner}/web/issues`, { title: 'It fails' })
  await server.settled()
  await workOff(app, { kinds: ['delivery'] })
  const events = await rows(app.pool, 'select subject from host_events where organization_id = $1', [organizationId])
  assert.deepEqual(events, [{ subject: 'issue:1' }])
})

test('a token that may not manage webhooks does without, says so, and makes those that it may', async () => {
  const { ada, connect, sync, hooks, webhooks, owner, repository } = await beginWithToken('write')
  const other = await server.addRepository({ owner, name: 'tools', roles: { [ada.login]: 'admin' } })
  await connect({ token: ada.token })
  await sync()
  assert.deepEqual(hooks(), [])
  assert.equal(server.world.hooks.filter((hook) => hook.owner === other).length, 1)
  assert.partialDeepStrictEqual(await webhooks(), { status: 'warning' })
  assert.match((await webhooks()).message, /webhook of \S+\/web could not be created.*GitHub says.*admin:repo_hook/)
  repository.roles.set(ada.account.id, 'admin')
  await sync()
  assert.equal(hooks().length, 1)
  assert.equal((await webhooks()).status, 'ok')
})

test('a service that GitHub cannot reach makes no webhooks, and says what it does instead', async () => {
  const { ada, connect, sync, hooks, webhooks } = await beginWithToken('admin')
  await connect({ token: ada.token })
  assert.equal(await sync('http://localhost:8080'), 0)
  assert.deepEqual(hooks(), [])
  assert.match((await webhooks()).message, /no public HTTPS address.*looks at each repository itself/)
})

test('the webhook of an App comes here, unless it goes to another service', async () => {
  const { owner, connect, sync, webhooks } = await begin()
  const { app: hubApp, webhookSecret } = server.addApp({ owner, name: unique('Runwright') })
  server.install(hubApp, { account: owner })
  const hook = server.world.hooks.find((each) => each.owner === hubApp)!
  const { url } = await connect({ app_id: hubApp.id, private_key: hubApp.pem, webhook_secret: webhookSecret })
  assert.equal(await sync(), 1)
  assert.partialDeepStrictEqual(hook, { url, contentType: 'json', secret: webhookSecret })
  assert.deepEqual(await webhooks(), { status: 'ok', message: 'The App sends its webhooks here.', url: null })
  assert.equal(await sync(), 0)
  Object.assign(hook, { url: url.replace('runwright', 'formerly'), contentType: 'form' })
  assert.equal(await sync(), 1)
  assert.partialDeepStrictEqual(hook, { url, contentType: 'json' })
  hook.url = 'https://other.example.com/hooks'
  assert.equal(await sync(), 0)
  assert.equal(hook.url, 'https://other.example.com/hooks')
  assert.match(
    (await webhooks()).message,
    /sends its webhooks to other\.example\.com\. .*set its webhook URL to https:/,
  )
  hook.url = url
  hubApp.events = ['push']
  await sync()
  assert.match((await webhooks()).message, /subscribe the App to the events issues, issue comment, /)
  assert.match((await webhooks()).url ?? '', /\/settings\/apps\/\S+\/permissions$/)
})

test('one sync looks at the webhooks of some repositories, those first that waited longest', async () => {
  const { ada, connect, sync, organizationId } = await beginWithToken('admin')
  const { id: integrationId } = await connect({ token: ada.token })
  await sync()
  await app.pool.query(
    `insert into repos (organization_id, host, integration_id, host_repo_id, name, path, default_branch)
     select $1::bigint, 'github', $2, n::text, 'acme/' || n, $1::bigint || '/github-x' || n || '.git', 'main' from generate_series(1, $3) n`,
    [organizationId, integrationId, hostLimits.hooksKeptMax],
  )
  const hooks = await listHooks(app.pool, { organizationId, integrationId })
  assert.equal(hooks.length, hostLimits.hooksKeptMax)
  assert.ok(hooks.every(({ name }) => !name.endsWith('/web')))
})
