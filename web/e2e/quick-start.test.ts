import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git } from '@runwright/server/test/example-repository.ts'
import type { Locator, Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

// What a newcomer has: no repository, no model, and the limits that a service has by itself.
const { service, db, openNew, faults } = await openUi({ RUNWRIGHT_SCRIPTED: '0', RUNWRIGHT_RATE_LIMITS: 'user=0' })
after(() => assert.deepEqual(faults, []))

test('a newcomer gets from the sign-in page to a merged fix, and follows up, in the browser alone', async (t) => {
  const begunAt = Date.now()
  const tellTime = (what: string) => t.diagnostic(`${what}: after ${((Date.now() - begunAt) / 1_000).toFixed(1)} s`)
  const page = await openNew('/')
  await page.getByLabel('Token').fill(service.token)
  await page.keyboard.press('Enter')
  const steps = page.getByRole('list', { name: 'Get started' })
  await stepOf(steps, 'Add a repository').getByRole('button', { name: 'Try the example' }).click()

  await page.getByRole('heading', { name: 'Make the failing test pass' }).waitFor()
  const runUrl = page.url()
  await page.locator('.trace').getByText('The failing check must be known').first().waitFor()
  const outcome = await untilDone(page)
  await outcome.getByText('src/discounts.js').first().waitFor()
  tellTime('fixed')
  await outcome.getByRole('link', { name: 'Review pull request' }).click()
  await readChange(page, { before: '> from', after: '>= from' })
  await page.getByRole('tab', { name: 'Conversation' }).click()
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
  await page.getByText('merged it into main').waitFor()
  tellTime('merged')
  const clone = cloneReceipts()
  assert.match(readFileSync(path.join(clone, 'src/discounts.js'), 'utf8'), />= from/)

  // Whoever comes back to the run sees what has become of its work, and asks for more.
  await page.goto(runUrl)
  await page.locator('.run-facts').getByRole('link', { name: '#1 merged' }).waitFor()
  await db.query(`update runs set started_at = started_at - interval '1 day'`)
  await followUp(page, 'Make sure that all tests pass')
  const nothing = await untilDone(page, 2)
  await page
    .locator('.trace')
    .getByText(/^No test fails/)
    .waitFor()
  // A day between two turns is no part of the work.
  assert.match(await nothing.locator('header').innerText(), /Turn 2 · [\d.]+ s/)
  await nothing.getByRole('link', { name: 'View pull request' }).waitFor()
  tellTime('told that nothing is left to do')

  // A task of one's own, in the composer of the runs page, for what somebody has pushed since.
  pushFault(clone)
  await page.getByRole('link', { name: 'Runs' }).first().click()
  await page.getByLabel('Repository', { exact: true }).selectOption({ label: 'receipts' })
  await page.getByLabel('What should the agent do?').fill('Orders of 50.00 ship for free')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { name: 'Orders of 50.00 ship for free' }).waitFor()
  const second = await untilDone(page)
  await second.getByRole('link', { name: 'Review pull request' }).click()
  await readChange(page, { before: '> 5000', after: '>= 5000' })
  await page.getByText('+1').first().waitFor()
  tellTime('a second fix')
})

async function untilDone(page: Page, turn = 1): Promise<Locator> {
  await page.locator('.run-facts').getByText(`Turn ${turn}`, { exact: true }).waitFor()
  await page.locator('.run-title .pill.completed').waitFor()
  return page.getByRole('region', { name: 'Outcome' })
}

async function followUp(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message to the agent').fill(text)
  await page.getByRole('button', { name: 'Follow up' }).click()
}

async function readChange(page: Page, { before, after }: { before: string; after: string }): Promise<void> {
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.locator('tr.del', { hasText: before }).waitFor()
  await page.locator('tr.add', { hasText: after }).waitFor()
}

function cloneReceipts(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  const { host } = new URL(service.url)
  git(
    folder,
    'clone',
    '-q',
    `http://runwright:${service.token}@${host}/git/${service.organizationId}/receipts.git`,
    '.',
  )
  return folder
}

/** Pushes another fault to main, with a test that finds it. */
function pushFault(clone: string): void {
  mkdirSync(path.join(clone, 'test'), { recursive: true })
  writeFileSync(
    path.join(clone, 'src/shipping.js'),
    'export function shippingOf(cents) {\n  return cents > 5000 ? 0 : 495\n}\n',
  )
  writeFileSync(path.join(clone, 'test/shipping.test.js'), shippingTest)
  git(clone, 'add', '-A')
  git(clone, 'commit', '-q', '-m', 'Ship for free')
  git(clone, 'push', '-q', 'origin', 'HEAD:main')
}

const shippingTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippingOf } from '../src/shipping.js'

test('small orders pay for shipping', () => assert.equal(shippingOf(4999), 495))
test('orders of 50.00 ship for free', () => assert.equal(shippingOf(5000), 0))
test('larger ones too', () => assert.equal(shippingOf(9000), 0))
`

const stepOf = (steps: Locator, title: string) => steps.getByRole('listitem').filter({ hasText: title })
