// A connection to GitHub says by itself what is wrong with it, and is well again by itself.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { appPermissions } from '#adapters/codehosts/github/app-forms.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { limits } from '#base/limits.ts'
import { one } from '#db/pool.ts'
import type { JobKind } from '#domain/hosts/jobs/job.ts'
import { startPolls } from '#domain/hosts/polls/start-polls.ts'
import { describeHosts } from '#process/describe-hosts.ts'
import { startGitHubServer } from '#test/github-server.ts'
import { unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { workOff } from '#test/work-off.ts'

const server = await startGitHubServer()
after(() => server[Symbol.asyncDispose]())
const testing = await testApp({ env: { RUNWRIGHT_PRIVATE_HOSTS: new URL(server.url).host } })
const { app, ask, member } = testing

type Shown = { id: number; problem: string | null; installation_id: number | null; webhook_url: string }
type Permissions = Record<string, 'read' | 'write'>

/** An organization with one repository at GitHub. */
async function begin() {
  const owner = unique('acme')
  const me = await member()
  const ada = server.addPerson(unique('ada'))
  await server.addRepository({ owner, name: 'web', roles: { [ada.login]: 'admin' } })
  const send = (method: string, path: string, body?: unknown) =>
    ask(`${me.path}${path}`, { method, token: me.token, ...(body !== undefined && { body }) })
  const sync = () => workOff(app, { kinds: ['sync'] })
  const dueNow = (kind: JobKind) =>
    app.pool.query('update jobs set due_at = now() where kind = $1 and organization_id = $2', [kind, me.organizationId])
  const connect = async (credentials: Record<string, unknown>) => {
    const made = await send('POST', '/integrations', { type: 'github', base_url: server.apiUrl, ...credentials })
    assert.equal(made.status, 201, made.text)
    await sync()
    return made.body as Shown
  }
  const shown = async () => {
    const { integrations } = (await send('GET', '/integrations')).body as {
      integrations: (Shown & { id: number | null })[]
    }
    return integrations.find(({ id }) => id !== null)!
  }
  return {
    ...me,
    owner,
    ada,
    send,
    sync,
    connect,
    shown,
    syncNow: async () => {
      await dueNow('sync')
      await sync()
    },
    /** All that a worker does, a look at each repository first. */
    poll: async () => {
      await startPolls(app.pool)
      await dueNow('poll')
      await workOff(app, { kinds: ['poll'] })
    },
    repo: async () => ((await send('GET', '/repos')).body.items as { id: number; is_connected: boolean }[])[0]!,
    /** After how many milliseconds the connection is looked at again by itself. */
    nextSyncMs: async () =>
      (
        await one<{ ms: number }>(
          app.pool,
          `select extract(epoch from due_at - now())::float8 * 1000 as ms from jobs where kind = 'sync' and organization_id = $1`,
          [me.organizationId],
        )
      ).ms,
  }
}

/** The same, with an App that is installed there. */
async function beginWithApp({
  requested = appPermissions,
  granted = requested,
}: { requested?: Permissions; granted?: Permissions } = {}) {
  const there = await begin()
  const { app: hubApp, webhookSecret } = server.addApp({
    owner: there.owner,
    name: unique('Runwright'),
    permissions: requested,
  })
  const installation = server.install(hubApp, { account: there.owner, permissions: granted })
  const integration = await there.connect({ app_id: hubApp.id, private_key: hubApp.pem, webhook_secret: webhookSecret })
  const hook = server.world.hooks.find((each) => each.owner === hubApp)
  Object.assign(hook ?? {}, { url: testing.url + new URL(integration.webhook_url).pathname, isActive: true })
  const arrived = async () => {
    await server.settled()
    await workOff(app, { kinds: ['delivery', 'sync'] })
  }
  return { ...there, hubApp, installation, arrived }
}

test('names the permissions that an App lacks, and the page on which they are accepted', async () => {
  const { statuses: _, checks: __, ...granted } = appPermissions
  const { shown, installation, hubApp, syncNow } = await beginWithApp({
    requested: appPermissions,
    granted: { ...granted, checks: 'read' },
  })
  const { problem } = await shown()
  assert.match(problem ?? '', /lacks permissions: Checks \(write\), Commit statuses \(read\)\./)
  assert.match(problem ?? '', new RegExp(`accept them at ${server.url}/settings/installations/${installation.id}\\.`))
  assert.doesNotMatch(problem ?? '', /add them to the App/)
  hubApp.permissions = granted
  await syncNow()
  assert.match(
    (await shown()).problem ?? '',
    /add them to the App at \S+\/settings\/apps\/\S+\/permissions, then accept them/,
  )
  hubApp.permissions = appPermissions
  installation.permissions = appPermissions
  await syncNow()
  assert.equal((await shown()).problem, null)
})

test('what is done with an installation at GitHub is shown, keeps new runs away, and heals by itself', async () => {
  const { hubApp, installation, owner, arrived, shown, repo, send } = await beginWithApp()
  const start = async () => send('POST', '/agent/run', { prompt: 'Fix it', repo_id: (await repo()).id })
  assert.equal((await start()).status, 200)
  for (const [action, sentence] of [
    ['suspend', /suspended on \S+: unsuspend it at http/],
    ['deleted', /not installed on any account yet: install it at http/],
  ] as const) {
    server.change(installation, action)
    await arrived()
    assert.match((await shown()).problem ?? '', sentence)
    assert.equal((await repo()).is_connected, false)
    const refused = await start()
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'])
    assert.match(String(refused.body.message), /web is not connected: its code host/)
    if (action === 'suspend') server.change(installation, 'unsuspend')
    else server.install(hubApp, { account: owner })
    await arrived()
    assert.equal((await shown()).problem, null)
    assert.equal((await repo()).is_connected, true)
    assert.equal((await start()).status, 200)
  }
})

test('a run that is at work when its host closes is told that the host may open again', async () => {
  const { installation, arrived, repo, organizationId } = await beginWithApp()
  const { id } = await repo()
  server.change(installation, 'suspend')
  await arrived()
  const { path } = await one<{ path: string }>(app.pool, 'select path from repos where id = $1', [id])
  const reached = app.remoteHosts.github.reachGit({ organizationId, path }, { need: 'read', after: null })
  await assert.rejects(reached, { name: 'HostError', code: 'forbidden', isFinal: false })
})

test('shows at the next look that an App is gone where no webhook tells of it', async () => {
  const { installation, poll, shown, repo, sync, nextSyncMs } = await beginWithApp()
  server.deliveries.hold()
  server.change(installation, 'suspend')
  await poll()
  assert.match((await shown()).problem ?? '', /suspended/)
  assert.ok((await nextSyncMs()) <= hostLimits.refusedSyncMs)
  await app.pool.query(`update jobs set due_at = now() where kind = 'sync'`)
  await sync()
  assert.equal((await repo()).is_connected, false)
  assert.ok((await nextSyncMs()) <= hostLimits.haltedSyncMs)
  server.change(installation, 'unsuspend')
  await app.pool.query(`update jobs set due_at = now() where kind = 'sync'`)
  await sync()
  assert.equal((await repo()).is_connected, true)
  server.deliveries.release()
})

test('shows at once that a token is refused, whatever it was used for, and is well with another', async () => {
  const { ada, connect, shown, poll, repo, send, sync, nextSyncMs } = await begin()
  const { id } = await connect({ token: ada.token })
  assert.equal((await shown()).problem, null)
  assert.equal((await repo()).is_connected, true)
  server.world.tokens.delete(ada.token)
  await poll()
  assert.match(
    (await shown()).problem ?? '',
    /Bad credentials\. The credentials of the integration are not good any more/,
  )
  assert.ok((await nextSyncMs()) <= hostLimits.refusedSyncMs)
  // Whoever fails after that asks for nothing more.
  const before = server.requests.length
  await workOff(app, { kinds: ['sync'] })
  assert.equal(server.requests.length, before)
  const again = server.addPerson(ada.login)
  assert.equal((await send('PATCH', `/integrations/${id}`, { token: again.token })).status, 200)
  await sync()
  assert.equal((await shown()).problem, null)
  // Git meets it, too.
  server.world.tokens.delete(again.token)
  assert.ok((await send('GET', `/repos/${(await repo()).id}/branches`)).status >= 400)
  assert.match((await shown()).problem ?? '', /GitHub refuses the token/)
})

test('says in good time that a token ends, and which scope one lacks', async () => {
  const { ada, connect, syncNow, organizationId, shown } = await begin()
  const token = server.world.tokens.get(ada.token)!
  token.expiresAt = new Date(Date.now() + 3 * 24 * 60 * 60_000)
  await connect({ token: ada.token })
  const checks = async () =>
    (
      await one<{ checks: Record<string, { status: string; message: string }> }>(
        app.pool,
        'select checks from integrations where organization_id = $1',
        [organizationId],
      )
    ).checks
  assert.equal((await shown()).problem, null)
  const day = token.expiresAt.toISOString().slice(0, 10)
  assert.deepEqual((await checks())['credentials']?.status, 'warning')
  assert.match((await checks())['credentials']?.message ?? '', new RegExp(`expires on ${day}\\. Replace it`))
  token.expiresAt = null
  token.scopes = ['read:user']
  await syncNow()
  assert.equal((await checks())['credentials']?.status, 'ok')
  assert.match((await shown()).problem ?? '', /lacks the scope "repo"/)
})

test('an App that was just made is looked for every few seconds, for a quarter of an hour', async () => {
  const { send, owner, sync, syncNow, shown, repo, nextSyncMs, organizationId } = await begin()
  const { app: hubApp } = server.addApp({ owner, name: unique('Runwright') })
  const access = { type: 'github', base_url: server.apiUrl, app_id: hubApp.id, private_key: hubApp.pem }
  assert.equal((await send('POST', '/integrations', access)).status, 201)
  await sync()
  assert.match((await shown()).problem ?? '', /install it at http/)
  assert.ok((await nextSyncMs()) <= hostLimits.installPollMs)
  await app.pool.query(`update integrations set created_at = now() - interval '16 min' where organization_id = $1`, [
    organizationId,
  ])
  await syncNow()
  assert.ok((await nextSyncMs()) > hostLimits.installPollMs)
  assert.ok((await nextSyncMs()) <= hostLimits.haltedSyncMs)
  server.install(hubApp, { account: owner })
  await syncNow()
  assert.equal((await repo()).is_connected, true)
  assert.equal((await shown()).problem, null)
  assert.ok((await nextSyncMs()) > limits.integrationSyncMs / 2)
})

test('whoever waits for a host has it and its repositories looked at now, and not again for some seconds', async () => {
  const { connect, send, ada, poll, sync, nextSyncMs, organizationId } = await begin()
  const { id } = await connect({ token: ada.token })
  await poll()
  const job = (kind: JobKind) =>
    one<{ isDue: boolean }>(
      app.pool,
      'select due_at <= now() as "isDue" from jobs where organization_id = $1 and kind = $2',
      [organizationId, kind],
    )
  const syncNow = async () => assert.equal((await send('POST', `/integrations/${id}/sync`)).status, 204)
  await syncNow()
  assert.deepEqual([(await job('sync')).isDue, (await job('poll')).isDue], [false, false])
  assert.ok((await nextSyncMs()) <= hostLimits.syncRestMs)
  await app.pool.query(`update integrations set synced_at = now() - interval '1 min' where organization_id = $1`, [
    organizationId,
  ])
  await app.pool.query(`update host_polls set seen_at = now() - interval '1 min' where organization_id = $1`, [
    organizationId,
  ])
  await syncNow()
  assert.deepEqual([(await job('sync')).isDue, (await job('poll')).isDue], [true, true])
  await sync()
  assert.equal((await job('sync')).isDue, false)
  assert.equal((await send('POST', `/integrations/${id + 1_000}/sync`)).body.code, 'integration_not_found')
})

test('whoever asks for a look while one is at work gets another, since that one may have looked before', async () => {
  const { installation, send, shown, syncNow } = await beginWithApp()
  const { id, problem } = await shown()
  assert.equal(problem, null)
  const { statuses: _, ...fewer } = installation.permissions
  const happens = async () => {
    installation.permissions = fewer
    assert.equal((await send('POST', `/integrations/${id}/sync`)).status, 204)
  }
  server.fail({ kind: 'meanwhile', happens }, { on: /^GET \/installation\/repositories/ })
  await syncNow()
  assert.match((await shown()).problem ?? '', /lacks permissions: Commit statuses \(read\)/)
})

type Checked = { name: string; status: string; message: string; url: string | null; at: string | null }

/** How a host stands, by the name of each check. */
async function healthOf({ send }: Pick<Awaited<ReturnType<typeof begin>>, 'send'>, id: number) {
  const { status, body, text } = await send('GET', `/integrations/${id}/health`)
  assert.equal(status, 200, text)
  const checks = body.checks as Checked[]
  const byName: Record<string, Checked> = Object.fromEntries(checks.map((check) => [check.name, check]))
  return { status: body.status, text, names: checks.map(({ name }) => name), byName }
}

test('the health of a connection says of each of its parts how it stands, and where to fix it', async () => {
  const there = await beginWithApp()
  const { installation, arrived, shown, poll, organizationId, send } = there
  const { id } = await shown()
  await poll()
  const good = await healthOf(there, id)
  assert.deepEqual(good.names, [
    'credentials',
    'installation',
    'permissions',
    'webhooks',
    'polls',
    'jobs',
    'repositories',
  ])
  // The service of this test has no public address.
  assert.equal(good.status, 'warning')
  assert.partialDeepStrictEqual(good.byName, {
    credentials: { status: 'ok' },
    installation: { status: 'ok', url: `${server.url}/settings/installations/${installation.id}` },
    permissions: { status: 'ok' },
    webhooks: { status: 'warning' },
    polls: { status: 'ok' },
    jobs: { status: 'ok', message: 'All events were handled.' },
    repositories: { status: 'ok', message: '1 repository is listed.' },
  })
  installation.permissions = { ...appPermissions, issues: 'read' }
  server.change(installation, 'unsuspend')
  await arrived()
  const lacking = await healthOf(there, id)
  assert.equal(lacking.status, 'problem')
  assert.partialDeepStrictEqual(lacking.byName, { deliveries: { status: 'ok', message: 'Webhooks arrive.' } })
  assert.match(lacking.byName['permissions']?.message ?? '', /Issues \(write\)/)
  assert.ok(lacking.byName['deliveries']?.at)
  const { id: repoId } = await there.repo()
  const { id: eventId } = await one<{ id: number }>(
    app.pool,
    `insert into host_events (organization_id, repo_id, subject, event) values ($1, $2, 'issue:7', '{}') returning id`,
    [organizationId, repoId],
  )
  await app.pool.query(
    `insert into jobs (organization_id, kind, ref, key, problem, gave_up_at) values ($1, 'host_event', $2, $2, 'It is away.', now())`,
    [organizationId, String(eventId)],
  )
  const failed = await healthOf(there, id)
  assert.match(failed.byName['jobs']?.message ?? '', /\/web \(issue 7\) failed at every try: It is away\./)
  assert.ok(failed.byName['jobs']?.url?.endsWith(`/organizations/${organizationId}/repos`))
  server.change(installation, 'suspend')
  await arrived()
  const suspended = await healthOf(there, id)
  assert.deepEqual(suspended.names, ['credentials', 'installation', 'jobs'])
  assert.match(suspended.byName['installation']?.message ?? '', /suspended/)
  const lines = await describeHosts(app.pool, testing.url)
  const at = lines.findIndex((line) => line.includes(`(organization ${organizationId}, integration ${id}): problem`))
  assert.match(lines[at + 2] ?? '', /^ {2}installation: problem: The GitHub App is suspended/)
  for (const secret of server.secrets()) assert.ok(!(suspended.text + lines.join()).includes(secret))
  await send('PATCH', `/integrations/${id}`, { active: false })
  assert.partialDeepStrictEqual(await healthOf(there, id), { names: ['credentials'], status: 'warning' })
})
