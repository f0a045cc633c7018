import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { Dialer } from '#adapters/codehosts/dial-out.ts'
import { openRemoteHosts } from '#app/open-remote-hosts.ts'
import { systemClock } from '#base/clock.ts'
import { openGitHubUnderTest, type GitHubRepository } from '#test/open-code-hosts.ts'
import { makeSecretBox, unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { makeWorkTree } from '#test/test-git.ts'
import { Names } from '#base/network/names.ts'

const db = await testDb()
const under = await openGitHubUnderTest(db)
const { server } = under

const refusal =
  (code: string, words = /^/) =>
  (error: unknown) =>
    error instanceof HostError && error.code === code && words.test(error.message)

/** A repository whose `main` holds one commit, pushed through our host. */
async function begin() {
  const hosted = await under.makeRepository()
  const tree = await makeWorkTree()
  const first = await tree.commit({ 'README.md': 'hello\n' })
  await push(hosted, { branch: 'main', commit: first, pack: tree.pack(first), protectedBranches: [] })
  return { ...hosted, tree, first }
}

const push = (
  { git, repo }: GitHubRepository,
  request: Omit<Parameters<GitHubRepository['git']['push']>[1], 'expected' | 'stillAllowed'>,
) => git.push(repo, { expected: null, stillAllowed: async () => true, ...request })

async function beginPull() {
  const hosted = await begin()
  const { repoId, tree, first } = hosted
  const head = await tree.commit({ 'README.md': 'hello\nworld\n' })
  await push(hosted, { branch: 'agent/1', commit: head, pack: tree.pack(head, first) })
  const input = { repoId, runId: 1, title: 't', body: '', headBranch: 'agent/1', baseBranch: 'main', headCommit: head }
  return { ...hosted, head, input }
}

/** What went to the server's API since, as `METHOD /path`. */
function asked() {
  const before = server.requests.length
  return () => server.requests.slice(before)
}

test('a token is made for one repository and no more than is needed, and used again', async () => {
  const { forge, repo, there } = await begin()
  const before = new Set(server.world.tokens.keys())
  await assert.rejects(forge.getPull(repo, 1), refusal('not_found'))
  await assert.rejects(forge.getPull(repo, 2), refusal('not_found'))
  const made = [...server.world.tokens].filter(([text]) => !before.has(text)).map(([, token]) => token)
  assert.equal(made.length, 1)
  assert.deepEqual([...(made[0]!.repositories ?? [])], [there])
  assert.deepEqual(made[0]!.permissions, { metadata: 'read', pull_requests: 'read' })
})

test('what was read before is asked for with its ETag', async () => {
  const { forge, repo, input } = await beginPull()
  const { pull } = await forge.openPull(repo, input)
  const read = () => forge.getPull(repo, pull.number)
  // By then GitHub has worked out whether it merges.
  await read()
  const once = await read()
  const since = asked()
  assert.deepEqual(await read(), once)
  assert.deepEqual(
    since().map(({ status }) => status),
    [304],
  )
})

test('a host that has had enough is waited for, if that is soon, and is left alone otherwise', async () => {
  const { forge, repo, input } = await beginPull()
  server.fail({ kind: 'secondary_limit', retryAfterSeconds: 0 }, { on: /^POST .*\/pulls$/ })
  const { created, pull } = await forge.openPull(repo, input)
  assert.equal(created, true)
  server.fail({ kind: 'secondary_limit', retryAfterSeconds: 600 }, { on: /^PATCH .*\/pulls\// })
  await assert.rejects(forge.updatePull(repo, pull.number, { title: 'x' }), (error) => {
    assert.ok(error instanceof HostError && error.code === 'rate_limited')
    assert.equal(error.retryInMs, 600_000)
    return true
  })
  // Its clock is not ours.
  const now = new Date('2020-01-01T12:00:00Z')
  server.fail({ kind: 'primary_limit', resetsAt: new Date('2020-01-01T13:00:00Z'), now }, { on: /^GET .*\/comments/ })
  await assert.rejects(forge.listComments(repo, { kind: 'pull', number: pull.number }), (error) => {
    assert.ok(error instanceof HostError && error.code === 'rate_limited')
    assert.equal(error.retryInMs, 3_600_000)
    return true
  })
})

test('what only failed is read again, and written once', async () => {
  const { forge, repo, input } = await beginPull()
  const { pull } = await forge.openPull(repo, input)
  server.fail({ kind: 'status', status: 502 }, { times: 2, on: /^GET .*\/pulls\/\d+$/ })
  assert.equal((await forge.getPull(repo, pull.number)).title, 't')
  server.fail({ kind: 'status', status: 502 }, { on: /^PATCH .*\/pulls\// })
  const since = asked()
  await assert.rejects(forge.updatePull(repo, pull.number, { title: 'x' }), refusal('unavailable'))
  assert.equal(since().filter(({ method }) => method === 'PATCH').length, 1)
})

test('a page of something in front of the host is said to be one, whatever it was asked for', async () => {
  const { forge, input, repo } = await beginPull()
  const page = { kind: 'in_front', type: 'text/html; charset=utf-8', text: '<!doctype html><p>Sign in</p>' } as const
  const isPage = refusal('unavailable', /^The host answered with a web page instead of JSON\. Check the address/)
  server.fail(page, { on: /^POST .*\/pulls$/ })
  await assert.rejects(forge.openPull(repo, input), isPage)
  const { pull } = await forge.openPull(repo, input)
  server.fail(page, { on: /^GET .*\/pulls\/\d+$/ })
  await assert.rejects(forge.getPull(repo, pull.number), isPage)
  server.fail({ ...page, type: 'application/json' }, { on: /^GET .*\/pulls\/\d+$/ })
  await assert.rejects(forge.getPull(repo, pull.number), isPage)
  server.fail({ ...page, type: 'text/plain', text: 'OK' }, { on: /^GET .*\/pulls\/\d+$/ })
  await assert.rejects(forge.getPull(repo, pull.number), refusal('unavailable', /something other than JSON/))
  assert.equal((await forge.getPull(repo, pull.number)).number, pull.number)
})

test('a repository that was renamed is found under its new name, by the API and by git', async () => {
  const { git, repo, there, tree, first } = await begin()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'admin')
  await ada.ask('PATCH', `/repos/${repo.name}`, { name: 'renamed' })
  assert.equal((await git.mirror(repo)).branches.get('main'), first)
  const commit = await tree.commit({ a: '2' })
  const pushed = await git.push(repo, {
    branch: 'agent/1',
    expected: null,
    commit,
    pack: tree.pack(commit, first),
    stillAllowed: async () => true,
  })
  assert.partialDeepStrictEqual(pushed, { pushed: true })
  const { rows } = await db.query('select name from repos where id = $1', [repo.id])
  assert.equal(rows[0].name, repo.name.replace('example', 'renamed'))
})

test('a repository is found by a name that it had, also when another one has that name now', async () => {
  const owner = unique('acme')
  const ada = server.addPerson(unique('ada'))
  const add = (name: string) => server.addRepository({ owner, name, roles: { [ada.login]: 'admin' } })
  const there = await add('shop')
  const { github } = openRemoteHosts({
    pool: db,
    clock: systemClock,
    secretBox: makeSecretBox(),
    privateHosts: ['127.0.0.1'],
    lookup: new Names().lookup,
  })
  const connection = {
    integrationId: 1,
    organizationId: 1,
    baseUrl: server.apiUrl,
    installationId: null,
    bot: null,
    credentials: { token: ada.token },
  }
  const find = (hostRepoId: number) =>
    github.findRepository(connection, { fullName: `${owner}/shop`, hostRepoId: String(hostRepoId) })
  await ada.ask('PATCH', `/repos/${owner}/shop`, { name: 'store' })
  assert.equal((await find(there.id)).fullName, `${owner}/store`)
  const other = await add('shop')
  assert.equal((await find(there.id)).fullName, `${owner}/store`)
  assert.equal((await find(other.id)).fullName, `${owner}/shop`)
  await assert.rejects(find(7), refusal('not_found', /does not show the repository that was called acme.*\/shop/))
})

test('what could not be delivered is asked for again, however much came after it', async () => {
  const { app } = server.addApp({ name: unique('Agent') })
  const hook = server.world.hooks.find((each) => each.owner === app)
  assert.ok(hook)
  const deliver = (id: number, statusCode: number, more: object = {}) =>
    server.deliveries.all.push({
      id,
      guid: `guid ${id}`,
      hook,
      event: 'push',
      action: null,
      installationId: null,
      repositoryId: null,
      deliveredAt: new Date(),
      redelivery: false,
      body: '{}',
      statusCode,
      ...more,
    })
  deliver(1, 502, { deliveredAt: new Date('2026-01-01') })
  for (let id = 2; id <= 6; id++) deliver(id, 502)
  for (let id = 7; id <= 306; id++) deliver(id, 202)
  deliver(307, 202, { guid: 'guid 4', redelivery: true })
  const { github } = openRemoteHosts({
    pool: db,
    clock: systemClock,
    secretBox: makeSecretBox(),
    privateHosts: ['127.0.0.1'],
    lookup: new Names().lookup,
  })
  const connection = {
    integrationId: 1,
    organizationId: 1,
    baseUrl: server.apiUrl,
    installationId: 1,
    bot: null,
    credentials: { appId: app.id, privateKey: app.pem },
  }
  const since = asked()
  assert.equal(await github.redeliverFailed(connection, new Date(Date.now() - 3_600_000)), 4)
  const requests = since().map(({ method, path }) => `${method} ${path}`)
  assert.equal(requests.filter((each) => each === 'GET /app/hook/deliveries').length, 4)
  assert.deepEqual(
    requests.filter((each) => each.startsWith('POST')),
    [2, 3, 5, 6].map((id) => `POST /app/hook/deliveries/${id}/attempts`),
  )
})

test('why the host refuses a branch is told in its words', async () => {
  const { git, repo, there, tree, first } = await begin()
  there.protectedBranches.add('agent/9')
  const commit = await tree.commit({ a: '2' })
  const request = {
    branch: 'agent/9',
    expected: null,
    commit,
    pack: tree.pack(commit, first),
    stillAllowed: async () => true,
  }
  const refused = await git.push(repo, request)
  assert.equal(!refused.pushed && refused.reason, 'protected')
  assert.match(refused.pushed ? '' : refused.message, /protected/i)
})

test('no error, log or address holds a credential', async () => {
  const { git, forge, repo, there } = await begin()
  await git.mirror(repo)
  server.world.repositories.splice(server.world.repositories.indexOf(there), 1)
  const errors = await Promise.all([git.mirror(repo), forge.getPull(repo, 1)].map((one) => one.catch((error) => error)))
  for (const error of errors) {
    assert.ok(error instanceof HostError, String(error))
    const text = `${error.message} ${error.stack}`
    for (const secret of server.secrets()) assert.ok(!text.includes(secret))
  }
})

test('the end of what a job printed is read from where it lies, and a job is run again', async () => {
  const { git, forge, repo, there, tree, first } = await begin()
  there.workflow = ({ attempt }) => [
    { name: 'test', conclusion: attempt === 1 ? 'failure' : 'success', log: `${'x'.repeat(5_000)}\nthe ✓ end` },
  ]
  const commit = await tree.commit({ a: '2' })
  const request = {
    branch: 'agent/1',
    expected: null,
    commit,
    pack: tree.pack(commit, first),
    stillAllowed: async () => true,
  }
  assert.partialDeepStrictEqual(await git.push(repo, request), { pushed: true })
  await server.settled()
  const look = async () => (await forge.listChecks(repo, commit)).checks
  const [check] = await look()
  assert.deepEqual(
    [check?.name, check?.app, check?.status, check?.conclusion, check?.hasLog],
    ['test', 'github-actions', 'completed', 'failure', true],
  )
  assert.equal(await forge.readCheckLog(repo, check!, { bytesMax: 9 }), 'the ✓ end'.slice(-7))
  assert.equal(await forge.rerunCheck(repo, check!), true)
  await server.settled()
  assert.deepEqual(
    (await look()).map(({ conclusion }) => conclusion),
    ['success'],
  )
})

test('Actions that have begun and have no job yet are a check that waits', async () => {
  const { forge, repo, there } = await begin()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'write')
  const isRead = Promise.withResolvers<void>()
  there.workflow = async () => {
    await isRead.promise
    return [{ name: 'test', conclusion: 'success', log: '' }]
  }
  const commit = await ada.push(there, { branch: 'topic', from: 'main', files: { 'a.txt': 'x' } })
  const look = async () =>
    (await forge.listChecks(repo, commit)).checks.map(({ name, app, status }) => `${app} ${name} ${status}`)
  assert.deepEqual(await look(), ['github-actions GitHub Actions queued'])
  isRead.resolve()
  await server.settled()
  assert.deepEqual(await look(), ['github-actions test completed'])
  there.workflow = async () => []
  const other = await ada.push(there, { branch: 'other', from: 'main', files: { 'a.txt': 'y' } })
  await server.settled()
  assert.deepEqual((await forge.listChecks(repo, other)).checks, [])
})

test('the head of a fork is brought here though no branch holds it', async () => {
  const { git, forge, repo, there, first } = await begin()
  const mallory = server.addPerson(unique('mallory'))
  const fork = await server.addRepository({ owner: mallory.login, name: 'example', parent: there })
  const commit = await mallory.push(fork, { branch: 'evil', from: 'main', files: { 'evil.txt': 'x' } })
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'write')
  const opened = await ada.ask<{ number: number }>('POST', `/repos/${repo.name}/pulls`, {
    title: 'From a fork',
    head: `${mallory.login}:evil`,
    base: 'main',
  })
  assert.deepEqual((await forge.getPull(repo, opened.number)).head, { branch: 'evil', commit, isFromFork: true })
  const { branches } = await git.mirror(repo, { commits: [commit] })
  assert.deepEqual([...branches], [['main', first]])
  assert.match(await git.diff(repo, { base: 'main', head: commit, bytesMax: 10_000 }), /evil\.txt/)
})

test('who may do what is asked of the host, for whoever has the login now', async () => {
  const { forge, repo, there } = await begin()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'maintain')
  const actor = { hostUserId: String(ada.account.id), login: ada.login, isBot: false }
  assert.equal(await forge.permissionOf(repo, actor), 'write')
  assert.equal(await forge.permissionOf(repo, { ...actor, hostUserId: '1' }), 'none')
  there.roles.set(ada.account.id, 'triage')
  assert.equal(await forge.permissionOf(repo, actor), 'read')
})

test('who has moved a branch is asked of the host, the newest first', async () => {
  const { forge, repo, there, bot, head } = await beginPull()
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'write')
  await ada.ask('DELETE', `/repos/${repo.name}/git/refs/heads/agent/1`)
  const pushes = await forge.listPushes(repo, 'agent/1')
  assert.deepEqual(
    pushes.map(({ before, after, actor }) => [before, after, actor?.login, actor?.isBot]),
    [
      [head, null, ada.login, false],
      [null, head, bot.login, true],
    ],
  )
})

test('who has given an issue to somebody is asked of the host, as long as it holds', async () => {
  const { forge, repo, there } = await begin()
  const [ada, grace] = [server.addPerson(unique('ada')), server.addPerson(unique('grace'))]
  for (const { account } of [ada, grace]) there.roles.set(account.id, 'write')
  const issues = `/repos/${repo.name}/issues`
  const { number } = await ada.ask<{ number: number }>('POST', issues, { title: 'x', labels: ['fix'] })
  const giver = async (to: { label: string } | { assigneeId: string }) =>
    (await forge.findAssignment!(repo, number, to))?.actor?.login
  assert.equal(await giver({ label: 'fix' }), ada.login)
  assert.equal(await giver({ label: 'other' }), undefined)
  await grace.ask('DELETE', `${issues}/${number}/labels/fix`)
  assert.equal(await giver({ label: 'fix' }), undefined)
  await grace.ask('POST', `${issues}/${number}/labels`, { labels: ['fix'] })
  assert.equal(await giver({ label: 'fix' }), grace.login)
  await grace.ask('POST', `${issues}/${number}/assignees`, { assignees: [ada.login] })
  assert.equal(await giver({ assigneeId: String(ada.account.id) }), grace.login)
})

test('a marker in a comment of somebody else is no reason to change it', async () => {
  const { forge, repo, there, input } = await beginPull()
  const { pull } = await forge.openPull(repo, input)
  const on = { kind: 'pull', number: pull.number } as const
  const ours = await forge.saveComment(repo, on, { marker: 'agent-run:7', body: 'x'.repeat(70_000) })
  assert.ok(ours.body.length <= 65_536)
  assert.match(ours.body, /\[cut: it is longer than GitHub takes\]/)
  const ada = server.addPerson(unique('ada'))
  there.roles.set(ada.account.id, 'write')
  await ada.ask('POST', `/repos/${repo.name}/issues/${pull.number}/comments`, {
    body: '<!-- runwright:agent-run:8 --> hers',
  })
  await forge.saveComment(repo, on, { marker: 'agent-run:8', body: 'ours' })
  const bodies = (await forge.listComments(repo, on)).map(({ body }) => body)
  assert.equal(bodies.length, 3)
  assert.ok(bodies.includes('<!-- runwright:agent-run:8 --> hers'))
})

test('comments on lines that the pull request does not show are told in the review itself', async () => {
  const { forge, repo, head, input } = await beginPull()
  const { pull } = await forge.openPull(repo, input)
  const comments = [{ path: 'README.md', line: 400, side: 'head', body: 'What is here?' } as const]
  await forge.createReview(repo, pull.number, {
    commit: head,
    verdict: 'comment',
    body: 'Look.',
    comments,
    marker: 'r:1',
  })
  const [review] = await forge.listComments(repo, { kind: 'pull', number: pull.number })
  assert.match(review!.body, /README\.md:400.*What is here\?/)
})

test('an App that is installed nowhere, or in several places, says what to do', async () => {
  const { app } = server.addApp({ name: unique('App') })
  const { github } = openRemoteHosts({
    pool: db,
    clock: systemClock,
    secretBox: makeSecretBox(),
    privateHosts: ['127.0.0.1'],
    lookup: new Names().lookup,
  })
  const access = {
    baseUrl: server.apiUrl,
    installationId: null,
    organizationId: 1,
    credentials: { appId: app.id, privateKey: app.pem },
  }
  const install = `${server.url}/apps/${app.slug}/installations/new`
  const nowhere = await github.identify(access)
  assert.deepEqual(
    [nowhere.installationId, nowhere.problem?.endsWith(`on any account yet: install it at ${install}.`)],
    [null, true],
  )
  const first = server.install(app, { account: unique('first') })
  assert.partialDeepStrictEqual(await github.identify(access), { installationId: first.id, problem: null })
  server.install(app, { account: unique('second') })
  assert.match((await github.identify(access)).problem ?? '', /several places: say which one/)
  assert.equal((await github.identify({ ...access, installationId: first.id })).problem, null)
})

test('a host that is not public is not dialled, whatever names it', async () => {
  const dialer = new Dialer({ privateHosts: [], lookup: new Names().lookup })
  for (const address of [server.apiUrl, 'http://169.254.169.254/latest', 'http://[::1]:1/', 'http://localhost:1/']) {
    await assert.rejects(
      dialer.send({ url: new URL(address), asker: null }),
      refusal('forbidden', /RUNWRIGHT_PRIVATE_HOSTS/),
      address,
    )
  }
  await assert.rejects(dialer.send({ url: new URL('ftp://example.com/'), asker: null }), refusal('forbidden'))
})
