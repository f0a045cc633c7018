import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '@runwright/server/src/db/pool.ts'
import { until } from '@runwright/server/test/test-sandboxes.ts'
import { openUi } from './open-ui.ts'

const ui = await openUi()
const { service, db } = ui
const at = `/v1/organizations/${service.organizationId}`
const repoId = await ui.makeRepo('price-list', { 'prices.txt': 'apple 1\npear 2\nplum 3\n' })

/** What a run has opened, which changes every line. Answers its page. */
async function openPull(of = repoId): Promise<{ id: number; page: string }> {
  const run = await ui.play([{ shell: "sed -i 's/$/ euro/' prices.txt" }, { answer: 'With the currency.' }], {
    repo_id: of,
    create_pull_request: true,
  })
  await service.untilEnded(run.id)
  const found = 'select id, number from pulls where run_id = $1'
  const { id, number } = await one<{ id: number; number: number }>(db, found, [run.id])
  return { id, page: `/organizations/${service.organizationId}/repos/${of}/pulls/${number}` }
}

test('a thread is answered, resolved, shown again and reopened', async () => {
  const { id, page: path } = await openPull()
  const comments = [1, 2].map((line) => ({ path: 'prices.txt', line, body: `What is line ${line}?` }))
  await service.call('POST', `${at}/prs/${id}/reviews`, { body: 'Two questions.', comments })
  const page = await ui.open(path)
  const review = page.getByRole('article', { name: /^Review of/ })
  const thread = review.locator('.thread').filter({ hasText: 'What is line 1?' })
  await thread.getByRole('button', { name: 'Reply' }).click()
  await thread.getByRole('textbox', { name: 'Reply' }).fill('The price of an apple.')
  await thread.getByRole('button', { name: /^Comment/ }).click()
  // Until it is sent, its text stands where it is written.
  await thread.getByRole('textbox', { name: 'Reply' }).waitFor({ state: 'hidden' })
  await thread.getByText('The price of an apple.').waitFor()
  await thread.getByRole('button', { name: 'Resolve' }).click()

  const settled = review.locator('.thread').filter({ hasText: 'Resolved by' })
  await settled.getByRole('button', { name: 'Show 2 comments' }).waitFor()
  assert.equal(await settled.getByText('What is line 1?').count(), 0, 'it is collapsed')
  assert.equal(await review.getByText('What is line 2?').count(), 1, 'the other is not')
  await settled.getByRole('button', { name: 'Show 2 comments' }).click()
  await settled.getByText('The price of an apple.').waitFor()
  await settled.getByRole('button', { name: 'Reopen' }).click()
  await thread.getByRole('button', { name: 'Resolve' }).waitFor()
  assert.equal(await settled.count(), 0)

  await page.getByRole('tab', { name: /^Files/ }).click()
  const below = page.locator('.line-talk .thread').filter({ hasText: 'What is line 1?' })
  await below.getByText('The price of an apple.').waitFor()
  assert.deepEqual(ui.faults, [])
})

test('a pull request has the labels of the settings, which people change', async () => {
  await service.call('PATCH', `${at}/repos/${repoId}`, { pull_settings: { labels: ['by an agent'] } })
  const { page: path } = await openPull()
  const page = await ui.open(path)
  const facts = page.getByRole('group', { name: 'Facts of this pull request' })
  await facts.getByText('by an agent', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Labels').fill('currency\nneeds review')
  await page.getByRole('button', { name: 'Save' }).click()
  await facts.getByText('needs review', { exact: true }).waitFor()
  assert.equal(await facts.getByText('by an agent', { exact: true }).count(), 0)
  await page.goto(`${service.url}${path.slice(0, path.lastIndexOf('/'))}`)
  await page.getByRole('listitem').filter({ hasText: 'currency' }).getByText('needs review').waitFor()
  assert.deepEqual(ui.faults, [])
})

test('who is asked for a review sees it in the inbox; the page says why, and asks others or takes them off', async () => {
  const member = (name: string) =>
    service.call<{ id: number }>('POST', `${at}/members`, { full_name: name, email: `${name}@example.com` })
  const [grace] = [await member('grace'), await member('linus')]
  await service.call('POST', `${at}/members`, { full_name: 'Formatter' })
  const ownedId = await ui.makeRepo('owned', {
    'prices.txt': 'apple 1\n',
    CODEOWNERS: '/prices.txt @grace @acme/sellers\n/a b @grace\n',
  })
  const { id, page: path } = await openPull(ownedId)
  const reviewers = async () =>
    (await service.call<{ reviewers: { user_id: number }[] }>('GET', `${at}/prs/${id}`)).reviewers
  await until(async () => (await reviewers()).length > 0, 'she is asked')

  const page = await ui.open(path)
  const section = page.getByRole('region', { name: 'Reviewers' })
  const asked = section.getByRole('listitem').filter({ hasText: 'grace' })
  await asked.getByText('review requested').waitFor()
  await asked.getByText('/prices.txt').waitFor()
  await section.getByText('Notes on').click()
  await section.getByText('Not found here: @acme/sellers.').waitFor()
  await section.getByText(/^Line 2 is skipped/).waitFor()

  const choice = section.getByLabel('Request a review from')
  assert.ok(!(await choice.innerText()).includes('Formatter'), 'a service account reviews nothing')
  await choice.selectOption('linus')
  await section.getByRole('listitem').filter({ hasText: 'linus' }).getByText('review requested').waitFor()
  await section.getByRole('button', { name: 'Remove linus' }).click()
  await section.getByRole('listitem').filter({ hasText: 'linus' }).waitFor({ state: 'detached' })

  const { token } = await service.call<{ token: string }>('POST', `${at}/tokens`, { name: 'own', user_id: grace.id })
  const own = await ui.open(`/organizations/${service.organizationId}/inbox`, { token })
  await own.getByText('Review requested on pull request #1').waitFor()
  await own
    .getByRole('main')
    .getByRole('link', { name: /^Unread: / })
    .click()
  await own.getByRole('region', { name: 'Reviewers' }).waitFor()
  const review = { body: 'Fine.', verdict: 'approve' }
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await service.ask('POST', `${at}/prs/${id}/reviews`, review, headers)).status, 201)
  await asked.getByText('approved').waitFor()
  await own.goto(`${service.url}/organizations/${service.organizationId}/inbox`)
  await own.getByText('You’re all caught up').waitFor()
  await asked.getByRole('button', { name: 'Ask grace again' }).click()
  await asked.getByText('review requested').waitFor()
  assert.deepEqual(ui.faults, [])
})
