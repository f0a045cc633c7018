import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGitHubServer } from '@runwright/server/test/github-server.ts'
import type { Page, Route } from 'playwright-core'
import { openUi } from './open-ui.ts'

const github = await startGitHubServer()
after(() => github[Symbol.asyncDispose]())
const ui = await openUi({ RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1' })
const { service, open, play } = ui
const isOfGitHub = (fault: string) => fault.startsWith('asked https://github.com/') || fault.includes(github.url)
after(() =>
  assert.deepEqual(
    ui.faults.filter((fault) => !isOfGitHub(fault)),
    [],
  ),
)
const organization = `/organizations/${service.organizationId}`
const person = github.addPerson('ada')
await github.addRepository({ owner: 'acme', name: 'web', files: { 'a.txt': 'one\n' } })
await github.addRepository({ owner: 'ada', name: 'tools', files: { 'a.txt': 'one\n' } })

const begin = async (page: Page) => {
  await page.getByRole('button', { name: 'Connect GitHub' }).click()
  return page.getByRole('dialog')
}
const api = `/v1${organization}`
type Pull = { id: number; number: number; head_commit: string }
const pullOf = async (runId: number) =>
  (await service.call<{ items: Pull[] }>('GET', `${api}/prs?run_id=${runId}`)).items[0]!

const repoOf = async (name: string) => {
  const { items } = await service.call<{ items: { id: number; full_name: string }[] }>('GET', `${api}/repos`)
  return items.find(({ full_name: fullName }) => fullName.endsWith(name))!.id
}

/** The page on which GitHub asks whether the App shall be made; what is done there leads to `href`. */
const askThere = (route: Route, href: string) =>
  route.fulfill({ contentType: 'text/html', body: `<a href="${href.replaceAll('&', '&amp;')}">Create GitHub App</a>` })

test('the form of an App goes to github.com with one click', async () => {
  const page = await open(`${organization}/repos`)
  await page.context().route('https://github.com/**', (route) => askThere(route, service.url))
  const posted = page.waitForRequest('https://github.com/**')
  await (await begin(page)).getByRole('button', { name: 'Create GitHub App' }).click()
  const request = await posted
  assert.equal(request.method(), 'POST')
  assert.match(request.url(), /^https:\/\/github\.com\/settings\/apps\/new\?state=\S{20}/)
  const manifest = JSON.parse(new URLSearchParams(request.postData() ?? '').get('manifest') ?? '')
  assert.equal(manifest.redirect_url, `${service.url}${organization}/repos`)
  await page.getByRole('link', { name: 'Create GitHub App' }).waitFor()
})

test('an App is made at a GitHub of one’s own, installed, and its repositories are listed', async () => {
  const page = await open(`${organization}/repos`)
  await page.context().route(`${github.url}/settings/apps/new*`, async (route) => {
    // Somebody has signed in there.
    const headers = { ...route.request().headers(), authorization: `token ${person.token}` }
    const { location } = (await route.fetch({ headers, maxRedirects: 0 })).headers()
    await askThere(route, location!)
  })
  await (await begin(page)).getByLabel('GitHub Enterprise').fill(github.apiUrl)
  await page.getByRole('button', { name: 'Use this server' }).click()
  await page.getByRole('button', { name: 'Create GitHub App' }).click()
  await page.getByRole('link', { name: 'Create GitHub App' }).click()
  await page.getByText('GitHub App created').waitFor()
  const install = page.getByRole('status').getByRole('link', { name: /\/installations\/new$/ })
  assert.ok((await install.getAttribute('href'))?.startsWith(github.url))
  await page.waitForURL(`${service.url}${organization}/repos`)
  github.install(github.world.apps.at(-1)!, { account: 'acme' })
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByRole('link', { name: 'acme/web' }).waitFor()
  await page.getByText('not installed on any account').first().waitFor({ state: 'detached' })
})

test('the page of a code host says how each part of the connection stands, on a phone too', async () => {
  const installation = github.world.installations.at(-1)!
  const { permissions } = installation
  const { statuses: _, ...fewer } = permissions
  installation.permissions = fewer
  const page = await open(`${organization}/repos`)
  await page.getByRole('link', { name: /\/acme$/ }).click()
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText('Something is broken.').waitFor()
  const lacking = page.getByRole('listitem').filter({ hasText: 'lacks permissions: Commit statuses (read)' })
  const accept = lacking.getByRole('link', { name: /installations/ })
  assert.equal(await accept.getAttribute('href'), `${github.url}/settings/installations/${installation.id}`)
  const phone = await open(new URL(page.url()).pathname, { viewport: { width: 320, height: 800 } })
  await phone.getByText('lacks permissions').waitFor()
  assert.ok(
    await phone.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    'nothing is wider than the screen',
  )
  installation.permissions = permissions
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText('The App has all permissions that it needs.').waitFor()
})

test('a pull request at GitHub has its page here, which leads there', async () => {
  const repoId = await repoOf('acme/web')
  const script = [{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Written.', title: 'It says two' }]
  const run = await play(script, { repo_id: repoId })
  await service.untilEnded(run.id)
  const page = await open(`/runs/${service.organizationId}/${run.id}`)
  await page
    .locator('.run-facts')
    .getByRole('link', { name: /^#\d+ open$/ })
    .click()
  await page.getByRole('heading', { name: 'It says two' }).waitFor()
  const { number } = await pullOf(run.id)
  const link = page.getByRole('link', { name: 'Open on GitHub' })
  assert.equal(await link.getAttribute('href'), `${github.url}/acme/web/pull/${number}`)
})

test('finished work that GitHub does not take yet is kept, says when it is tried again, and is sent with one click', async () => {
  github.fail({ kind: 'secondary_limit', retryAfterSeconds: 600 }, { on: /^POST .*\/pulls$/ })
  const script = [{ write: { path: 'c.txt', content: 'kept\n' } }, { answer: 'Written.', title: 'It is kept' }]
  const run = await play(script, { repo_id: await repoOf('web') })
  const page = await open(`/runs/${service.organizationId}/${run.id}`)
  await page.getByText('The work is finished and kept.').waitFor()
  await page.getByText('1 try so far').waitFor()
  await page.getByRole('button', { name: 'Try now' }).click()
  await page.getByText('The work is finished and kept.').waitFor({ state: 'detached' })
  const { status } = await service.untilEnded(run.id)
  assert.equal(status, 'completed')
  assert.equal((await pullOf(run.id)).number > 0, true)
})

test('a pull request at GitHub is merged and reverted from its page here', async () => {
  const script = [{ write: { path: 'b.txt', content: 'two\n' } }, { answer: 'Written.', title: 'It has two' }]
  const repoId = await repoOf('acme/web')
  const run = await play(script, { repo_id: repoId })
  await service.untilEnded(run.id)
  const { number } = await pullOf(run.id)
  const page = await open(`${organization}/repos/${repoId}/pulls/${number}`)
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
  await page.getByText('merged it into main').waitFor()
  await page.getByRole('button', { name: 'Revert' }).click()
  await page.getByText('To be reverted by #').waitFor()
  await page
    .locator('.event')
    .getByRole('link', { name: /^#\d+$/ })
    .click()
  await page.getByRole('heading', { name: 'Revert "It has two"' }).waitFor()
  await page.getByRole('link', { name: 'Open on GitHub' }).waitFor()
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.locator('tr.del', { hasText: 'two' }).waitFor()
})

test('the page of a pull request shows its checks with their logs, and what reviewers found', async () => {
  const repoId = await ui.makeRepo('ledger', { 'a.txt': 'one\n' })
  const run = await play([{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Written.', title: 'Two' }], {
    repo_id: repoId,
  })
  await service.untilEnded(run.id)
  const pull = await pullOf(run.id)
  const report = (name: string, conclusion: string, log: string) =>
    service.call('POST', `${api}/repos/${repoId}/commits/${pull.head_commit}/checks`, {
      name,
      status: 'completed',
      conclusion,
      log,
    })
  await report('lint', 'success', 'all is tidy')
  await report('tests', 'failure', 'expected one, got two')
  await service.call('POST', `${api}/prs/${pull.id}/reviews`, {
    verdict: 'request_changes',
    body: 'Not **yet**.',
    comments: [{ path: 'a.txt', line: 1, body: 'Why two?' }],
  })
  const page = await open(`${organization}/repos/${repoId}/pulls/${pull.number}`)
  const checks = page.getByRole('region', { name: 'Checks' })
  await checks.locator('li', { hasText: 'lint' }).getByText('passed').waitFor()
  await checks.locator('li', { hasText: 'tests' }).getByText('failed').waitFor()
  await checks.getByRole('button', { name: 'Log of tests' }).click()
  await checks.getByText('expected one, got two').waitFor()
  const reviews = page.getByRole('region', { name: 'Reviews' })
  await reviews.getByText('requested changes').waitFor()
  await reviews.locator('strong', { hasText: 'yet' }).waitFor()
  await reviews.getByText('Why two?').waitFor()
  await reviews.getByRole('button', { name: 'Ask an agent for a review' }).click()
  // There is no model here, so nobody can.
  await reviews.getByRole('alert').waitFor()
})

test('auto-fix of a pull request is turned off, and on again', async () => {
  const repoId = await ui.makeRepo('till', { 'a.txt': 'one\n' })
  const run = await play([{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Written.', title: 'Two' }], {
    repo_id: repoId,
  })
  await service.untilEnded(run.id)
  const page = await open(`${organization}/repos/${repoId}/pulls/${(await pullOf(run.id)).number}`)
  const agent = page.getByRole('complementary', { name: 'Reviewers and agent' })
  await agent.getByRole('button', { name: 'Turn off auto-fix' }).click()
  await agent.getByText('Auto-fix is off').waitFor()
  await agent.getByRole('button', { name: 'Turn on auto-fix' }).click()
  await agent.getByText('Waiting for checks to finish.').waitFor()
})

test('a pull request of a host that cannot be reached says so, and shows what was read last', async () => {
  const { items } = await service.call<{ items: { repo_id: number; number: number; title: string }[] }>(
    'GET',
    `${api}/prs`,
  )
  const pull = items.find(({ title }) => title === 'It says two')!
  github.fail({ kind: 'status', status: 503 }, { times: 1_000, on: /\/comments/ })
  const page = await open(`${organization}/repos/${pull.repo_id}/pulls/${pull.number}`)
  await page.getByText(/can’t be reached right now: /).waitFor()
  await page.getByRole('heading', { name: 'Description' }).waitFor()
  await page.getByRole('region', { name: 'Merge' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('who is no MANAGER is not offered what takes one', async () => {
  const { id } = await service.call<{ id: number }>('POST', `${api}/members`, { full_name: 'Femi' })
  const { token } = await service.call<{ token: string }>('POST', `${api}/tokens`, { name: 'femi', user_id: id })
  const repoId = await repoOf('till')
  const { items } = await service.call<{ items: Pull[] }>('GET', `${api}/prs?repo_id=${repoId}`)
  const page = await open(`${organization}/repos/${repoId}/pulls/${items[0]!.number}`, { token })
  const merge = page.getByRole('region', { name: 'Merge' })
  await merge.getByText('Only a MANAGER of this organization can merge.').waitFor()
  assert.deepEqual(await merge.getByRole('button').allInnerTexts(), ['Close', 'Convert to draft'])
  await page.getByRole('textbox', { name: 'Comment' }).waitFor()
  await page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: 'Repositories' }).click()
  await page.getByRole('link', { name: 'till' }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: /Add a repository|Connect|Disconnect|Sync now/ }).count(), 0)
  assert.equal(await page.getByText('Code hosts').count(), 0)
})

test('a list that is longer than an answer of the API is read on', async () => {
  const repoId = await ui.makeRepo('long', { 'a.txt': 'one\n' })
  const titles = Array.from({ length: 103 }, (_, n) => `Issue no. ${n + 1}`)
  await Promise.all(titles.map((title) => service.call('POST', `${api}/repos/${repoId}/issues`, { title })))
  const page = await open(`${organization}/repos/${repoId}/issues`)
  await page.getByText('100 of 103 issues').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page
    .locator('.list > li')
    .nth(titles.length - 1)
    .waitFor()
  assert.deepEqual(new Set(await page.locator('.list > li a').allInnerTexts()), new Set(titles))
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
})

test('an issue is opened, read, spoken about and closed', async () => {
  await ui.makeRepo('atlas', { 'a.txt': 'one\n' })
  const page = await open(`${organization}/repos`)
  await page.getByRole('link', { name: 'Issues of atlas' }).click()
  await page.getByRole('button', { name: 'New issue' }).click()
  await page.getByLabel('Title').fill('It counts wrong')
  await page.getByRole('textbox', { name: 'Description' }).fill('One and one is **three**.')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'It counts wrong' }).waitFor()
  await page.locator('.prose strong', { hasText: 'three' }).waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Since Monday.')
  await page.keyboard.press('Control+Enter')
  await page.locator('article', { hasText: 'Since Monday.' }).waitFor()
  await page.getByRole('button', { name: 'Close issue' }).click()
  await page.locator('.pill', { hasText: 'Closed' }).waitFor()
  await page.getByRole('link', { name: 'atlas' }).click()
  await page.getByRole('link', { name: 'Closed' }).click()
  await page.locator('li', { hasText: 'It counts wrong' }).getByText('Closed').waitFor()
})

test('a token connects, a repository is connected by its name, and the host is disconnected', async () => {
  const page = await open(`${organization}/repos`)
  await begin(page)
  await page.getByLabel('A personal access token').check()
  await page.getByLabel('GitHub Enterprise').fill(github.apiUrl)
  await page.getByLabel('Token', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByLabel('Token', { exact: true }).fill(person.token)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const row = page.locator('li', { hasText: 'Acts as ada' })
  await row.getByRole('button', { name: 'Add a repository' }).click()
  await page.getByLabel('Full name').fill('ada/tools')
  await page.getByRole('button', { name: 'Add repository' }).click()
  await page.getByRole('link', { name: 'ada/tools' }).waitFor()
  await row.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await row.waitFor({ state: 'detached' })
  await page.locator('li', { hasText: 'ada/tools' }).getByText('Not connected').waitFor()
})

test('work that failed at every try is shown with its reason, and gone once it is retried and done', async () => {
  await ui.db.query(
    `insert into jobs (organization_id, kind, ref, key, problem, tries, gave_up_at)
     values ($1, 'review', '7 branch:main', 'x', 'The host cannot be reached.', 5, now())`,
    [service.organizationId],
  )
  const page = await open(`${organization}/repos`)
  const row = page.getByRole('region', { name: 'Failed jobs' }).locator('li')
  await row.getByText('Start a review').waitFor()
  for (const text of ['main', 'after 5 tries', 'The host cannot be reached.'])
    await row.getByText(text).first().waitFor()
  await row.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('region', { name: 'Failed jobs' }).waitFor({ state: 'detached' })
  const { rows } = await ui.db.query(`select from jobs where kind = 'review' and gave_up_at is not null`)
  assert.equal(rows.length, 0)
})
