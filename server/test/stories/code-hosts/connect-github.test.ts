// An organization connects GitHub, works with its repositories through our address, and disconnects it again.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '#db/pool.ts'
import { startGitHubServer } from '#test/github-server.ts'
import { unique } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { openWorkTree, testFolder } from '#test/test-git.ts'
import { workOff } from '#test/work-off.ts'

const server = await startGitHubServer()
after(() => server[Symbol.asyncDispose]())
const { app, ask, member, url } = await testApp({ env: { RUNWRIGHT_PRIVATE_HOSTS: new URL(server.url).host } })

type Shown = {
  id: number
  name: string
  full_name: string
  github_id: string
  is_connected: boolean
  url: string | null
  git_url: string
}

/** An organization, and a GitHub App that is installed for all repositories of `owner`. */
async function begin() {
  const owner = unique('acme')
  const me = await member()
  const there = await server.addRepository({ owner, name: 'web', files: { 'README.md': 'hello\n' } })
  await server.addRepository({ owner, name: '.github' })
  const { app: gitHubApp } = server.addApp({ owner, name: unique('Runwright') })
  server.install(gitHubApp, { account: owner })
  const send = (method: string, path: string, body?: unknown) =>
    ask(`${me.path}${path}`, { method, token: me.token, ...(body !== undefined && { body }) })
  const connect = () =>
    send('POST', '/integrations', {
      type: 'github',
      base_url: server.apiUrl,
      app_id: gitHubApp.id,
      private_key: gitHubApp.pem,
      webhook_secret: 'a secret of the webhook',
    })
  const list = async () => (await send('GET', '/repos')).body.items as Shown[]
  /** Until nothing is due. */
  const sync = () => workOff(app, { kinds: ['sync'] })
  const syncNow = async (integrationId: number) => {
    await app.pool.query(`update jobs set due_at = now() where kind = 'sync' and ref = $1`, [integrationId])
    await sync()
  }
  return { ...me, owner, gitHubApp, there, send, connect, list, sync, syncNow }
}

test('an App is connected with its repositories, and nothing of its secrets ever comes out', async () => {
  const { owner, there, send, connect, list, sync, organizationId } = await begin()
  const made = await connect()
  assert.equal(made.status, 201, made.text)
  assert.partialDeepStrictEqual(made.body, { integration_type: 'github', active: true, account: owner, problem: null })
  assert.match(String(made.body.bot_login), /\[bot\]$/)
  assert.match(String(made.body.webhook_url), /\/webhooks\/[\w-]{32}$/)
  await sync()
  const repos = await list()
  assert.deepEqual(
    repos.map(({ full_name, name }) => [full_name, name]),
    [
      [`${owner}/.github`, '.github'],
      [`${owner}/web`, 'web'],
    ],
  )
  assert.partialDeepStrictEqual(repos[1], {
    github_id: String(there.id),
    is_connected: true,
    url: `${server.url}/${owner}/web`,
  })
  const listed = await send('GET', '/integrations')
  assert.equal(listed.body.total_active_integrations, 2)
  const changed = await send('PATCH', `/integrations/${made.body.id}`, { webhook_secret: 'another secret of it' })
  const kept = await rows(app.pool, 'select * from integrations where organization_id = $1', [organizationId])
  const texts = [made.text, listed.text, changed.text, JSON.stringify(kept)]
  for (const secret of ['PRIVATE KEY', 'a secret of the webhook', 'another secret of it'])
    assert.ok(
      texts.every((text) => !text.includes(secret)),
      secret,
    )
})

test('its repositories are cloned through our address, and pushed to at their own', async () => {
  const { owner, connect, list, sync, token } = await begin()
  await connect()
  await sync()
  const web = (await list()).find(({ name }) => name === 'web')
  const tree = openWorkTree(await testFolder())
  const header = `Authorization: Basic ${Buffer.from(`me:${token}`).toString('base64')}`
  const address = url + new URL(web!.git_url).pathname
  await tree.git('-c', `http.extraHeader=${header}`, 'clone', '--quiet', address, '.')
  assert.equal(await tree.git('show', 'HEAD:README.md'), 'hello')
  await tree.commit({ a: '1' })
  const pushed = await tree.tryGit('-c', `http.extraHeader=${header}`, 'push', address, 'HEAD:refs/heads/mine')
  assert.notEqual(pushed.exitCode, 0)
  assert.match(pushed.stderr, new RegExp(`this is a mirror: push to ${server.url}/${owner}/web`))
})

test('a disconnected host leaves its repositories listed, and finds them again', async () => {
  const { connect, list, sync, send } = await begin()
  const { id } = (await connect()).body
  await sync()
  const before = await list()
  assert.equal((await send('DELETE', `/integrations/${id}`)).status, 204)
  const without = await list()
  assert.deepEqual(
    without.map((repo) => [repo.id, repo.is_connected]),
    before.map((repo) => [repo.id, false]),
  )
  const again = (await connect()).body.id
  await sync()
  assert.deepEqual(
    await list(),
    before.map((repo) => ({ ...repo, integration_id: again })),
  )
})

test('one repository is connected by its name, and removed, and can be connected again', async () => {
  const { owner, connect, list, send } = await begin()
  const { id: integration_id } = (await connect()).body
  const request = { integration_id, full_name: `${owner}/WEB` }
  const one = await send('POST', '/repos', request)
  assert.equal(one.status, 201, one.text)
  assert.equal(one.body.full_name, `${owner}/web`)
  assert.equal((await send('POST', '/repos', request)).body.id, one.body.id)
  assert.equal(
    (await send('POST', '/repos', { integration_id, full_name: `${owner}/gone` })).body.code,
    'integration_failed',
  )
  assert.equal((await send('DELETE', `/repos/${one.body.id}`)).status, 204)
  assert.deepEqual(await list(), [])
  assert.equal((await send('GET', `/repos/${one.body.id}`)).status, 404)
  const again = await send('POST', '/repos', request)
  assert.notEqual(again.body.id, one.body.id)
})

test('what is wrong with a connection is told where it is listed', async () => {
  const { owner, connect, sync, send } = await begin()
  const bad = await send('POST', '/integrations', { type: 'github', base_url: server.apiUrl, token: 'nobody' })
  assert.deepEqual([bad.status, bad.body.code], [400, 'integration_failed'])
  const { id } = (await connect()).body
  const installation = server.world.installations.find(({ account }) => account.login === owner)
  installation!.isSuspended = true
  await sync()
  const { integrations } = (await send('GET', '/integrations')).body as {
    integrations: { id: number; problem: string }[]
  }
  assert.match(integrations.find((one) => one.id === id)!.problem, /is suspended on \S+: unsuspend it at http/)
})

test('an App is made of a form in a browser, by whoever has begun it, and found once it is installed', async () => {
  const { owner, send, list, sync, syncNow } = await begin()
  const form = await send('POST', '/integrations/app-forms', {
    base_url: server.apiUrl,
    return_url: 'https://us.test/back',
  })
  assert.equal(form.status, 201, form.text)
  const posted = await fetch(String(form.body.url), {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${server.addPerson(owner).token}` },
    body: new URLSearchParams({ manifest: String(form.body.manifest) }),
  })
  const back = new URL(String(posted.headers.get('location')))
  assert.equal(back.origin + back.pathname, 'https://us.test/back')
  const finish = { form_code: back.searchParams.get('code'), form_state: back.searchParams.get('state') }
  const other = await begin()
  assert.equal((await other.send('POST', '/integrations/app-forms/finish', finish)).body.code, 'integration_failed')
  const made = await send('POST', '/integrations/app-forms/finish', finish)
  assert.equal(made.status, 201, made.text)
  assert.match(String(made.body.problem), /install it at http/)
  // A host whose codes work twice makes another App.
  server.world.manifests.set(String(finish.form_code), {
    ...(JSON.parse(String(form.body.manifest)) as object),
    name: unique('Another'),
    owner: server.addPerson(owner).account,
  })
  const twice = await send('POST', '/integrations/app-forms/finish', finish)
  assert.equal(twice.status, 409, twice.text)
  assert.equal(twice.body.message, 'This integration has already been created.')
  assert.equal((await send('POST', '/integrations/app-forms/finish', finish)).body.code, 'integration_failed')
  await sync()
  assert.deepEqual(await list(), [])
  server.install(
    server.world.apps.find(({ id }) => id === made.body.app_id)!,
    { account: owner },
  )
  await syncNow(made.body.id as number)
  assert.equal((await list()).length, 2)
})

test('an App that is removed says so, and is found again once it is installed anew', async () => {
  const { owner, gitHubApp, connect, send, list, sync, syncNow } = await begin()
  const { id, installation_id: before } = (await connect()).body
  await sync()
  const find = async () => {
    const { integrations } = (await send('GET', '/integrations')).body as { integrations: Integration[] }
    return integrations.find((one) => one.id === id)!
  }
  const { world } = server
  world.installations = world.installations.filter((each) => each.app !== gitHubApp)
  for (const [token, { installation }] of world.tokens) if (installation?.app === gitHubApp) world.tokens.delete(token)
  await syncNow(id as number)
  assert.match((await find()).problem ?? '', /install it at http/)
  const installation = server.install(gitHubApp, { account: owner })
  assert.notEqual(installation.id, before)
  await syncNow(id as number)
  assert.partialDeepStrictEqual(await find(), { installation_id: installation.id, problem: null })
  assert.equal((await list()).filter(({ is_connected: isConnected }) => isConnected).length, 2)
})

type Integration = { id: number; installation_id: number; problem: string | null }
