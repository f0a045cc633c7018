import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, open, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`

test('a new organization says what to do, and one press brings an example, a run and a pull request', async () => {
  const page = await open(runs)
  const steps = page.getByRole('list', { name: 'Get started' })
  await steps.getByText('Without a model, the built-in repair engine still fixes failing tests.').waitFor()
  await page
    .getByRole('link', { name: /^Get started/ })
    .getByText('0/5')
    .waitFor()
  // Where the run is refused, the repository is there already when it is tried again.
  let starts = 0
  await page.route(/\/agent\/run$/, (route) => {
    const isStart = route.request().postData()?.includes('Make the failing test pass')
    return isStart && starts++ === 0
      ? route.fulfill({ status: 402, json: { code: 'budget_reached', message: 'Nothing is left.' } })
      : route.continue()
  })
  await steps.getByRole('button', { name: 'Try the example' }).click()
  await page.locator('.notice').waitFor()
  await steps.getByRole('button', { name: 'Try the example' }).click()
  await page.getByRole('heading', { name: 'Make the failing test pass' }).waitFor()
  await page.locator('.run-title .pill.completed').waitFor()
  await page
    .locator('.run-facts')
    .getByRole('link', { name: /^#1 open$/ })
    .waitFor()
  await page.getByRole('link', { name: /^Get started/ }).click()
  await page.getByRole('listitem').filter({ hasText: 'Start your first run, done' }).waitFor()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email address').fill('grace@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'Invite your team, done' }).waitFor()
  await page
    .getByRole('link', { name: /^Get started/ })
    .getByText('3/5')
    .waitFor()
})

test('who may not set anything up is not told to', async () => {
  const at = `/v1/organizations/${service.organizationId}`
  const member = await service.call<{ id: number }>('POST', `${at}/members`, { full_name: 'Femi' })
  const { token } = await service.call<{ token: string }>('POST', `${at}/tokens`, { name: 'femi', user_id: member.id })
  const page = await open(runs, { token })
  await page.locator('.run-row').first().waitFor()
  assert.equal(await page.getByRole('link', { name: /^Get started/ }).count(), 0)
})
