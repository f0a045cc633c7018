import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { after, test } from 'node:test'
import { readArchive, rowsIn } from '@runwright/server/test/read-archive.ts'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = `/organizations/${service.organizationId}`
const api = `/v1${organization}`
const narrow = { viewport: { width: 360, height: 740 } }

const isAsWideAsScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

async function addMember(): Promise<string> {
  const { id } = await service.call<{ id: number }>('POST', `${api}/members`, { full_name: 'Femi', role: 'MEMBER' })
  return (await service.call<{ token: string }>('POST', `${api}/tokens`, { name: 'femi', user_id: id })).token
}

/** What the browser saves once it is clicked. */
async function saveBy(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), files: await readArchive(createReadStream(await download.path())) }
}

const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })
const run = await play([{ answer: 'An answer to keep.' }], { title: 'A run to be exported' })
await service.untilEnded(run.id)

test('a run, a repository, the organization and the account are exported by a click', async () => {
  const page = await open(`/runs/${service.organizationId}/${run.id}`, { acceptDownloads: true })
  const ofRun = await saveBy(page, () => page.getByRole('link', { name: 'Export' }).click())
  assert.equal(ofRun.name, `run-${run.id}.tar.gz`)
  assert.match(JSON.stringify(rowsIn(ofRun.files, 'runs')), /An answer to keep/)
  await page.goto(`${service.url}${organization}/repos/${repoId}?section=general`)
  const ofRepo = await saveBy(page, () => page.getByRole('link', { name: 'Export' }).click())
  assert.ok(ofRepo.files.has(`repositories/${repoId}/repository.bundle`))
  await page.goto(`${service.url}${organization}/settings`)
  const links = page.getByRole('link', { name: 'Export', exact: true })
  const ofAll = await saveBy(page, () => links.first().click())
  assert.equal(ofAll.name, `organization-${service.organizationId}.tar.gz`)
  const ofMe = await saveBy(page, () => links.last().click())
  assert.equal(rowsIn(ofMe.files, 'users').length, 1)
})

test('an ADMIN sets for how long runs are kept, and is asked before anything is deleted', async () => {
  const page = await open(`${organization}/settings`)
  const form = page.getByRole('form', { name: 'Retention' })
  assert.equal(await form.getByLabel('Logs', { exact: true }).inputValue(), '')
  await form.getByLabel('Logs', { exact: true }).selectOption('30 days')
  await form.getByLabel('Runs', { exact: true }).selectOption('1 year')
  await form.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Logs of runs that ended more than 30 days ago: none now').waitFor()
  await dialog.getByText('Runs that ended more than 1 year ago: none now').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const retention = async () =>
    (await service.call<{ settings: { retention: Record<string, number | null> } }>('GET', api)).settings.retention
  assert.equal((await retention())['logs'], null)
  await form.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Save and delete' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual([(await retention())['logs'], (await retention())['runs']], [30, 365])
  // What is kept for longer is not asked about.
  await form.getByLabel('Logs', { exact: true }).selectOption('Keep forever')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await retention())['logs'], null)
  // Nothing is deleted by it, so that nobody is asked.
  await form.getByLabel('Archive logs').selectOption('90 days')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  const { settings } = await service.call<{ settings: { archive_logs_after_days: number | null } }>('GET', api)
  assert.equal(settings.archive_logs_after_days, 90)
  await service.call('PATCH', api, { settings: { retention: { egress: 45 } } })
  const other = await open(`${organization}/settings`, narrow)
  assert.equal(await other.getByLabel('Network requests').inputValue(), '45')
  assert.ok(await isAsWideAsScreen(other))
})

test('an ADMIN reads who changed what, by person, action and day', async () => {
  const page = await open(`${organization}/settings`)
  await page.getByRole('link', { name: 'Open audit log' }).click()
  const list = page.locator('main .list')
  await list.getByText('Update organization').first().waitFor()
  await list.getByText('Export organization').first().waitFor()
  await page.getByText('settings: {"retention":{"egress":45}}').waitFor()
  const rows = page.locator('main .list > li')
  await page.getByLabel('Action').selectOption('Export repository')
  await page.waitForURL(/action=exportRepo/)
  await rows.first().waitFor()
  assert.equal(await rows.count(), 1)
  assert.match(
    (await rows.first().textContent()) ?? '',
    new RegExp(`Export repository ${repoId}.*127\\.0\\.0\\.1.*Done`),
  )
  await page.getByLabel('From').fill('2999-01-01')
  await page.getByText('No matching entries').waitFor()
  await page.reload()
  await page.getByText('No matching entries').waitFor()
  for (let n = 0; n < 60; n++) await service.call('PATCH', api, { name: `Name ${n}` })
  const phone = await open(`${organization}/audit?action=updateOrganization`, narrow)
  const all = phone.locator('main .list > li')
  await all.first().waitFor()
  assert.equal(await all.count(), 50)
  assert.ok(await isAsWideAsScreen(phone))
  await phone.getByRole('button', { name: 'Show more' }).click()
  await all.nth(60).waitFor()
})

test('a member sees no retention and no audit log, and exports their own account', async () => {
  const token = await addMember()
  const page = await open(`${organization}/settings`, { token })
  await page.getByText('Export your account').waitFor()
  for (const name of ['Retention', 'Audit log', 'Danger zone'])
    assert.equal(await page.getByRole('heading', { name }).count(), 0, name)
  assert.equal(await page.getByRole('link', { name: 'Export', exact: true }).count(), 1)
  await page.goto(`${service.url}${organization}/audit`)
  await page.getByText('Only ADMINs can read the audit log').waitFor()
})
