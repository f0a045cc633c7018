import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { importPKCS8, SignJWT } from 'jose'
import { createHmac, createPrivateKey } from 'node:crypto'
import { seededRandom } from './chaos/random.ts'
import { startGitHubServer } from './github-server.ts'
import { openWorkTree, testFolder } from './test-git.ts'

const github = await startGitHubServer()
after(() => github[Symbol.asyncDispose]())

const received: { headers: IncomingHttpHeaders; body: string }[] = []
const receiver = createServer((request, response) => {
  void Array.fromAsync(request as AsyncIterable<Buffer>).then((pieces) => {
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() })
    response.writeHead(202).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
after(() => receiver.close().closeAllConnections())
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const { app, webhookSecret } = github.addApp({ name: 'Agent', webhookUrl })
const shop = await github.addRepository({
  owner: 'acme',
  name: 'shop',
  files: { 'a.txt': 'one\ntwo\n' },
  roles: { ada: 'admin', bob: 'read' },
  workflow: async ({ read, attempt }) => [
    {
      name: 'test',
      conclusion: (await read('a.txt'))?.includes('good') || attempt > 1 ? 'success' : 'failure',
      log: 'Error: a.txt is not good\n',
    },
  ],
})
const other = await github.addRepository({ owner: 'acme', name: 'other' })
const installation = github.install(app, { repositories: [shop, other] })
const [ada, bob] = [github.addPerson('ada'), github.addPerson('bob')]

async function jwt(claims: Record<string, unknown> = {}, pem = app.pem): Promise<string> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString()
  const now = Math.floor(Date.now() / 1_000)
  return new SignJWT({ iss: String(app.id), iat: now - 60, exp: now + 540, ...claims })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(await importPKCS8(pkcs8, 'RS256'))
}

async function ask(token: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(github.apiUrl + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = text && response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

async function tokenFor(options: Record<string, unknown>): Promise<string> {
  const made = await ask(await jwt(), 'POST', `/app/installations/${installation.id}/access_tokens`, options)
  assert.equal(made.status, 201, made.text)
  return made.body.token
}

test('an App shows itself by its key, and nobody else can', async () => {
  assert.equal((await ask(await jwt(), 'GET', '/app')).body.slug, 'agent')
  const { pem } = github.addApp({ name: 'Stranger' }).app
  assert.equal((await ask(await jwt({}, pem), 'GET', '/app')).status, 401)
  assert.equal((await ask(await jwt({ exp: 1 }), 'GET', '/app')).status, 401)
  assert.equal((await ask(await jwt({ exp: Date.now() / 1_000 + 3_600 }), 'GET', '/app')).status, 401)
  assert.equal((await ask(ada.token, 'GET', '/app')).status, 401)
})

test('a token does what it was made for, in the repository that it was made for, until it expires', async () => {
  const read = await tokenFor({ repositories: ['shop'], permissions: { issues: 'read' } })
  assert.equal((await ask(read, 'GET', '/repos/acme/shop/issues')).status, 200)
  assert.equal((await ask(read, 'POST', '/repos/acme/shop/issues', { title: 'No' })).status, 403)
  assert.equal((await ask(read, 'GET', '/repos/acme/shop/branches')).status, 403)
  assert.equal((await ask(read, 'GET', '/repos/acme/other/issues')).status, 404)
  const path = `/app/installations/${installation.id}/access_tokens`
  assert.equal((await ask(await jwt(), 'POST', path, { repositories: ['nothing'] })).status, 422)
  assert.equal((await ask(await jwt(), 'POST', path, { permissions: { administration: 'write' } })).status, 422)
  github.world.tokenSeconds = 0
  const short = await tokenFor({})
  github.world.tokenSeconds = 3_600
  assert.equal((await ask(short, 'GET', '/repos/acme/shop')).status, 401)
})

test('a push opens the way to a pull request, moves its head, and runs the jobs', async () => {
  const nothing = { title: 'Nothing', head: 'main', base: 'main' }
  const refused = await ada.tryAsk('POST', '/repos/acme/shop/pulls', nothing)
  assert.equal(refused.status, 422)
  assert.match(JSON.stringify(refused.body), /No commits between main and main/)
  const first = await ada.push(shop, { branch: 'work', from: 'main', files: { 'a.txt': 'one\nbad\n' } })
  const input = { title: 'Work', head: 'work', base: 'main', body: 'Look.' }
  const pull = await ada.ask<{ number: number; head: { sha: string } }>('POST', '/repos/acme/shop/pulls', input)
  assert.equal(pull.head.sha, first)
  assert.match(JSON.stringify((await ada.tryAsk('POST', '/repos/acme/shop/pulls', input)).body), /already exists/)
  await github.settled()
  const runs = await ada.ask<{ check_runs: { id: number; conclusion: string }[] }>(
    'GET',
    `/repos/acme/shop/commits/${first}/check-runs`,
  )
  assert.equal(runs.check_runs[0]?.conclusion, 'failure')
  const log = await ada.ask('GET', `/repos/acme/shop/actions/jobs/${runs.check_runs[0]?.id}/logs`)
  assert.match(JSON.stringify(log), /not good/)
  await ada.ask('POST', `/repos/acme/shop/actions/jobs/${runs.check_runs[0]?.id}/rerun`)
  await github.settled()
  assert.equal(shop.checkRuns[0]?.conclusion, 'success')

  const second = await ada.push(shop, { branch: 'work', files: { 'a.txt': 'one\ngood\n' } })
  const at = `/repos/acme/shop/pulls/${pull.number}`
  assert.equal((await ada.ask<{ mergeable: unknown }>('GET', at)).mergeable, null)
  assert.equal((await ada.ask<{ mergeable: unknown }>('GET', at)).mergeable, true)
  assert.equal((await ada.tryAsk('PUT', `${at}/merge`, { sha: first })).status, 409)
  const line = { path: 'a.txt', line: 2, side: 'RIGHT', body: 'Why?' }
  const own = await ada.tryAsk('POST', `${at}/reviews`, { event: 'APPROVE' })
  assert.match(JSON.stringify(own.body), /approve your own/)
  const far = { event: 'COMMENT', body: 'Hm', comments: [{ ...line, line: 40 }] }
  assert.equal((await bob.tryAsk('POST', `${at}/reviews`, far)).status, 422)
  await bob.ask('POST', `${at}/reviews`, { event: 'COMMENT', body: 'Hm', comments: [line] })
  assert.equal((await bob.tryAsk('PUT', `${at}/merge`, {})).status, 403)
  await ada.ask('PUT', `${at}/merge`, { sha: second, merge_method: 'squash' })
  assert.equal(await shop.git('show', 'main:a.txt'), 'one\ngood')
  assert.equal((await ada.tryAsk('PATCH', at, { state: 'open' })).status, 422)
})

test('git refuses what a push may not change, and says why', async () => {
  shop.protectedBranches.add('main')
  const token = await tokenFor({ repositories: ['shop'], permissions: { contents: 'write' } })
  const tree = openWorkTree(await testFolder())
  const authorization = Buffer.from(`x-access-token:${token}`).toString('base64')
  const signedIn = ['-c', `http.extraHeader=Authorization: Basic ${authorization}`]
  await tree.git(...signedIn, 'clone', '--quiet', `${github.url}/acme/shop.git`, '.')
  await tree.commit({ 'b.txt': 'b' })
  assert.match((await tree.tryGit(...signedIn, 'push', 'origin', 'HEAD:main')).stderr, /GH006: Protected branch/)
  await tree.git(...signedIn, 'push', 'origin', 'HEAD:agent/one')
  await tree.commit({ '.github/workflows/ci.yml': 'on: push' })
  const refused = await tree.tryGit(...signedIn, 'push', 'origin', 'HEAD:agent/one')
  assert.match(refused.stderr, /refusing to allow a GitHub App to create or update workflow/)
  assert.notEqual((await tree.tryGit(...signedIn, 'clone', `${github.url}/acme/none.git`, 'x')).exitCode, 0)
  assert.notEqual((await tree.tryGit('fetch', 'origin')).exitCode, 0)
})

test('a webhook is signed, tells what happened, and can be sent once more', async () => {
  received.length = 0
  const issue = await bob.ask<{ number: number }>('POST', '/repos/acme/shop/issues', { title: 'Broken', labels: ['x'] })
  await bob.ask('POST', `/repos/acme/shop/issues/${issue.number}/comments`, { body: '@agent please' })
  await github.settled()
  assert.deepEqual(
    received.map(({ headers }) => headers['x-github-event']),
    ['issues', 'issue_comment'],
  )
  const { headers, body } = received[1]!
  const expected = `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`
  assert.equal(headers['x-hub-signature-256'], expected)
  assert.partialDeepStrictEqual(JSON.parse(body), {
    action: 'created',
    comment: { body: '@agent please', user: { login: 'bob' } },
    installation: { id: installation.id },
    repository: { full_name: 'acme/shop' },
  })
  const list = await ask(await jwt(), 'GET', '/app/hook/deliveries?per_page=1')
  assert.equal(list.body[0].guid, headers['x-github-delivery'])
  assert.match(list.headers.get('link') ?? '', /cursor=\d+>; rel="next"/)
  await ask(await jwt(), 'POST', `/app/hook/deliveries/${list.body[0].id}/attempts`)
  await github.settled()
  assert.equal(received.length, 3)
  assert.equal(received[2]?.headers['x-github-delivery'], headers['x-github-delivery'])
})

test('a test has deliveries come late, often and in another order', async () => {
  received.length = 0
  github.deliveries.hold()
  for (const title of ['1', '2', '3', '4', '5', '6']) await bob.ask('POST', '/repos/acme/shop/issues', { title })
  await github.settled()
  assert.equal(received.length, 0)
  github.deliveries.disturb({ random: seededRandom(7), timesMax: 5, atOnce: 2 })
  github.deliveries.release()
  await github.settled()
  const titles = received.map(({ body }) => JSON.parse(body).issue.title as string)
  assert.ok(titles.length > 6 && new Set(titles).size === 6)
  assert.notDeepEqual(titles, titles.toSorted())
  github.deliveries.disturb(null)
})

test('limits, etags and names that have changed are told as GitHub tells them', async () => {
  const seen = await ask(ada.token, 'GET', '/repos/acme/other')
  const etag = { 'if-none-match': seen.headers.get('etag') ?? '' }
  assert.equal((await ask(ada.token, 'GET', '/repos/acme/other')).status, 404)
  const token = await tokenFor({})
  const first = await ask(token, 'GET', '/repos/acme/other')
  etag['if-none-match'] = first.headers.get('etag') ?? ''
  assert.equal((await ask(token, 'GET', '/repos/acme/other', undefined, etag)).status, 304)
  github.fail({ kind: 'secondary_limit', retryAfterSeconds: 7 }, { on: /^POST/ })
  assert.equal((await ask(token, 'GET', '/repos/acme/other')).status, 200)
  const limited = await ask(token, 'POST', '/repos/acme/other/issues', { title: 'Later' })
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [403, '7'])
  other.roles.set(ada.account.id, 'admin')
  await ada.ask('PATCH', '/repos/acme/other', { name: 'another' })
  const moved = await ask(token, 'GET', '/repos/acme/other/issues?state=all')
  assert.equal(moved.status, 301)
  assert.equal(moved.headers.get('location'), `${github.apiUrl}/repositories/${other.id}/issues?state=all`)
  assert.equal((await ask(token, 'POST', '/repos/acme/other/issues', { title: 'Here' })).status, 307)
  assert.equal((await ask(token, 'GET', `/repositories/${other.id}`)).body.name, 'another')
})

test('an App is made of a manifest, once', async () => {
  const manifest = {
    name: 'Made by a click',
    redirect_url: 'http://127.0.0.1/made',
    hook_attributes: { url: webhookUrl },
    default_permissions: { issues: 'write' },
    default_events: ['issues'],
  }
  const response = await fetch(`${github.url}/settings/apps/new?state=abc`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${ada.token}` },
    body: new URLSearchParams({ manifest: JSON.stringify(manifest) }),
  })
  const back = new URL(response.headers.get('location') ?? '')
  assert.equal(back.searchParams.get('state'), 'abc')
  const convert = () =>
    fetch(`${github.apiUrl}/app-manifests/${back.searchParams.get('code')}/conversions`, {
      method: 'POST',
      headers: { 'user-agent': 'test' },
    })
  const made = (await (await convert()).json()) as { id: number; pem: string; webhook_secret: string }
  assert.equal((await ask(await jwt({ iss: made.id }, made.pem), 'GET', '/app')).body.slug, 'made-by-a-click')
  assert.equal((await convert()).status, 404)
})
