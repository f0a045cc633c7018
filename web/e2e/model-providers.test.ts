import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer } from '@runwright/server/test/model-server.ts'
import { openUi } from './open-ui.ts'

const model = await startModelServer([], 'llama-3.3', () => 'key-of-acme-4711')
after(() => model.close())
const { service, open, faults } = await openUi({ RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1' })
after(() => assert.deepEqual(faults, []))
const at = `/organizations/${service.organizationId}/model-providers`

test('an admin adds a model provider, which is tried first, tries it again, changes its key and removes it', async () => {
  const page = await open(at)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('acme')
  await dialog.getByLabel('API').selectOption('openai_chat')
  await dialog.getByLabel('Address').fill(`${model.url}/v1`)
  await dialog.getByLabel('Key', { exact: true }).fill('key-of-nobody-1234')
  await dialog.getByRole('button', { name: 'Try and add' }).click()
  await dialog.getByText('The model provider acme refuses the key').waitFor()
  await dialog.getByLabel('Key', { exact: true }).fill('key-of-acme-4711')
  await dialog.getByRole('button', { name: 'Try and add' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: 'acme' })
  await row.getByRole('button', { name: 'Try' }).click()
  await row.getByText('Works. Models: llama-3.3').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  assert.equal(isWide, false)
  await page.setViewportSize({ width: 1280, height: 720 })

  await row.getByRole('button', { name: 'Change' }).click()
  assert.equal(await dialog.getByLabel('Key', { exact: true }).inputValue(), '')
  await dialog.getByLabel('Models').fill('llama-3.3, llama-4')
  await dialog.getByRole('button', { name: 'Try and save' }).click()
  await row.getByText('Only llama-3.3, llama-4').waitFor()
  await row.getByRole('button', { name: 'Try' }).click()
  await row.getByText('It does not list llama-4').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove provider' }).click()
  await page.getByText('No model providers yet').waitFor()
})

test('a member sees model providers and can change nothing of them but set and remove a key of their own', async () => {
  const api = `/v1/organizations/${service.organizationId}`
  const member = await service.call<{ id: number }>('POST', `${api}/members`, { full_name: 'Femi' })
  const { token } = await service.call<{ token: string }>('POST', `${api}/tokens`, { name: 'femi', user_id: member.id })
  const page = await open(at, { token })
  await page.getByText('No model providers yet').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add a provider' }).count(), 0)

  const base_url = `${model.url}/v1`
  await service.call('POST', `${api}/model-providers`, {
    name: 'acme',
    kind: 'openai_chat',
    base_url,
    member_keys_only: true,
  })
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'keys of members only' })
  await row.waitFor()
  assert.deepEqual(await row.getByRole('button').allInnerTexts(), ['Your key'])
  const dialog = page.getByRole('dialog')
  await row.getByRole('button', { name: 'Your key' }).click()
  await dialog.getByLabel('Key', { exact: true }).fill('key-of-acme-4711')
  await dialog.getByRole('button', { name: 'Try and save' }).click()
  await row.getByText(/^Your key ends with 4711, saved /).waitFor()
  await row.getByRole('button', { name: 'Your key' }).click()
  await dialog.getByRole('button', { name: 'Remove your key' }).click()
  await row.getByText('Your key ends with').waitFor({ state: 'detached' })
})
