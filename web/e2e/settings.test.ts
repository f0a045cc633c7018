import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = `/organizations/${service.organizationId}`
const api = `/v1${organization}`
const looks = [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 360, height: 740 } }]

async function addMember(email: string): Promise<{ id: number; token: string }> {
  const { id } = await service.call<{ id: number }>('POST', `${api}/members`, { email, role: 'MEMBER' })
  const { token } = await service.call<{ token: string }>('POST', `${api}/tokens`, { name: 'of a member', user_id: id })
  return { id, token }
}

const isAsWideAsScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('members leave, or delete their accounts, and are told what stays', async () => {
  const leaver = await addMember('ada@example.com')
  const page = await open(`${organization}/settings`, { token: leaver.token })
  assert.equal(await page.getByText('Danger zone').count(), 0)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('dialog').getByText('what you created stays').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL(/sign-in/)
  const deleter = await addMember('deleter@example.com')
  const other = await open(`${organization}/settings`, { token: deleter.token })
  await other.getByRole('button', { name: 'Delete your account' }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByText('as those of a deleted user').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Delete your account' }).isDisabled(), true)
  await dialog.getByLabel('Type deleter@example.com to confirm').fill('deleter@example.com')
  await dialog.getByRole('button', { name: 'Delete your account' }).click()
  await other.waitForURL(/sign-in/)
  const { items } = await service.call<{ items: { id: number }[] }>('GET', `${api}/members`)
  assert.ok(items.every(({ id }) => id !== leaver.id && id !== deleter.id))
})

test('an ADMIN lets machines in with a worker token, has runs go to them alone, and revokes it', async () => {
  const page = await open(`${organization}/settings`)
  await page.getByRole('link', { name: 'Open workers' }).click()
  await page.getByText('No worker tokens yet').waitFor()
  await page.getByRole('button', { name: 'Create a worker token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('rack 4')
  await dialog.getByLabel('Labels').fill('gpu, far')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await page
    .getByRole('status')
    .getByText(/^rww_[0-9A-Za-z]{36}$/)
    .waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'rack 4' })
  await row.getByText('never used').waitFor()
  assert.deepEqual(await row.locator('.tag').allTextContents(), ['far', 'gpu'])
  const own = page.getByLabel('Only to your own workers')
  const saved = () => page.waitForResponse((response) => response.request().method() === 'PATCH')
  await Promise.all([saved(), own.click()])
  await page.locator('input[type=checkbox]:checked').waitFor()
  await service.call('POST', `${api}/agent/run`, { prompt: 'Wait for a machine of ours' })
  await page.goto(`${service.url}/runs/${service.organizationId}`)
  await page.getByText('waiting for one of your organization’s workers').first().waitFor()
  await page.goto(`${service.url}${organization}/workers`)
  await own.click()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No worker tokens yet').waitFor()
  const { token } = await addMember('nobody@example.com')
  const other = await open(`${organization}/workers`, { token })
  await other.getByText('Only ADMINs can manage workers').waitFor()
})

test('an ADMIN deletes the organization by its name, and is told what goes', async () => {
  const name = 'The bakery'
  await service.call('PATCH', api, { name })
  for (const look of looks) {
    const page = await open(`${organization}/settings`, look)
    await page.getByRole('button', { name: 'Delete the organization' }).click()
    await page.getByLabel(`Type ${name} to confirm`).waitFor()
    assert.ok(await isAsWideAsScreen(page))
  }
  const page = await open(`${organization}/settings`)
  await page.getByRole('button', { name: 'Delete the organization' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All of its runs are cancelled').waitFor()
  await dialog.getByLabel(`Type ${name} to confirm`).fill('the bakery')
  assert.equal(await dialog.getByRole('button', { name: 'Delete the organization' }).isDisabled(), true)
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
  await dialog.getByRole('button', { name: 'Delete the organization' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/settings'))
  assert.equal((await service.ask('GET', api)).status, 403)
})
