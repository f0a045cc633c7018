import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, open, play, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
const inbox = `/organizations/${service.organizationId}/inbox`

test('the inbox has what asks and what failed, counts the unread, and the browser tells of it', async () => {
  const page = await open(inbox)
  await page.context().grantPermissions(['notifications'])
  await page.evaluate(() => {
    const Real = Notification
    const shown: string[] = []
    class Recorded extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        shown.push(`${title}: ${options?.body}`)
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shown })
  })
  await page.getByText('You’re all caught up').waitFor()
  await page.getByLabel('Show browser notifications, in this browser').check()
  await page.getByLabel('Proposes a plan').uncheck()
  await play([{ ask: { question: 'Which one?', options: ['This', 'That'] } }], { title: 'Chooses' })
  const failed = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }], { title: 'Goes wrong' })
  await service.untilEnded(failed.id)
  await page.getByText('Chooses').first().waitFor()
  await page.getByLabel('2 unread').waitFor()
  await page.waitForFunction(() => (globalThis as unknown as { shown: string[] }).shown.length >= 2)
  const shown = await page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
  assert.ok(shown.includes('Chooses: Asks a question') && shown.includes('Goes wrong: Failed'), shown.join())
  await page.getByRole('main').getByRole('link', { name: 'Unread: Goes wrong' }).click()
  await page.getByLabel('1 unread').waitFor()
  await page.goto(service.url + inbox)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByLabel('1 unread').waitFor({ state: 'detached' })
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
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).waitFor()
})
