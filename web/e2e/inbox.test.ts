import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi({}, { isWhole: true })
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
/** Longer than anything here may take on a busy machine. */
const stallMs = 120_000
const inbox = `/organizations/${service.organizationId}/inbox`

test('the inbox has what asks and what failed, counts the unread, and the browser tells of it', async () => {
  const page = await open(inbox)
  await recordNotices(page)
  await page.getByText('You’re all caught up').waitFor()
  await page.getByLabel('Show browser notifications, in this browser').check()
  await page.getByLabel('Proposes a plan').uncheck()
  await play([{ ask: { question: 'Which one?', options: ['This', 'That'] } }], { title: 'Chooses' })
  const failed = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }], { title: 'Goes wrong' })
  await service.untilEnded(failed.id)
  await page.getByText('Chooses').first().waitFor()
  await page.getByLabel('2 unread').waitFor()
  await untilNotified(page, 'Chooses: Asks a question')
  await untilNotified(page, 'Goes wrong: Failed')
  await page.getByRole('main').getByRole('link', { name: 'Unread: Goes wrong' }).click()
  await page.getByLabel('1 unread').waitFor()
  await page.goto(service.url + inbox)
  const other = await open(inbox)
  await other.getByLabel('1 unread').waitFor()
  assert.equal(await other.getByLabel('Proposes a plan').isChecked(), false)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByLabel('1 unread').waitFor({ state: 'detached' })
  // Another browser of the same person.
  await other.getByLabel('1 unread').waitFor({ state: 'detached', timeout: stallMs })
})

test('a pull request is ready to merge once its checks have passed, and the browser tells of it then', async () => {
  const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })
  const run = await play([{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Done.', title: 'Two' }], {
    repo_id: repoId,
    title: 'Writes two',
  })
  await service.untilEnded(run.id)
  const at = `/v1/organizations/${service.organizationId}`
  const { items } = await service.call<{ items: { head_commit: string }[] }>('GET', `${at}/prs?run_id=${run.id}`)
  const report = (check: object) =>
    service.call('POST', `${at}/repos/${repoId}/commits/${items[0]!.head_commit}/checks`, { name: 'ci', ...check })
  await report({ status: 'in_progress' })
  const page = await open(inbox)
  await recordNotices(page)
  await page.getByLabel('Show browser notifications, in this browser').check()
  await page.getByRole('region', { name: 'Items' }).getByRole('link').first().waitFor()
  const item = page.getByRole('main').getByRole('link', { name: 'Unread: Writes two' })
  assert.equal(await item.count(), 0)
  await report({ status: 'completed', conclusion: 'success' })
  // Checks that turn up late are waited for.
  await item.waitFor({ timeout: stallMs })
  await untilNotified(page, 'Writes two: Ready to merge')
})

test('on a phone the number of unread items is on the tab that leads to the inbox, and in its sheet', async () => {
  const failed = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }], { title: 'Fails' })
  await service.untilEnded(failed.id)
  const page = await open(runs, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.getByRole('button', { name: /^More \d+ unread in the inbox$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Inbox \d+ unread$/ })
    .click()
  const other = await page.context().newPage()
  await other.goto(service.url + inbox)
  await other.getByRole('button', { name: /^More \d+ unread in the inbox$/ }).waitFor()
  // A clock that is behind does not matter, and another tab shows the same.
  await page.clock.setFixedTime(Date.now() - 3_600_000)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).waitFor()
  await other.getByRole('button', { name: 'More', exact: true }).waitFor({ timeout: stallMs })
})

/** Keeps what the browser is asked to notify of. */
async function recordNotices(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications'])
  await page.evaluate(() => {
    const Real = Notification
    const shown: string[] = []
    class Recorded extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push(`${title}: ${options?.body}`)
      }

      /** As a person answers: not at once. */
      static override async requestPermission(): Promise<NotificationPermission> {
        await new Promise((answer) => setTimeout(answer, 300))
        return Real.requestPermission()
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown })
  })
}

const untilNotified = (page: Page, words: string) =>
  page.waitForFunction((words) => (globalThis as unknown as { shown: string[] }).shown.includes(words), words)
