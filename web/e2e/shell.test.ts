import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, browser, open, play, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
const organization = `/organizations/${service.organizationId}`

/** Every request of the page fails as it does where nothing listens. */
const takeServerAway = (page: Page) => page.context().route('**/*', (route) => route.abort('connectionrefused'))
const bringServerBack = (page: Page) => page.context().unroute('**/*')

test('while the server is away a click opens its page in the frame, says so, and what was typed stays', async () => {
  const page = await open(runs)
  const prompt = page.locator('#prompt')
  await prompt.fill('Count to two')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  await takeServerAway(page)
  const work = page.getByRole('navigation', { name: 'Work' })
  await work.getByRole('link', { name: 'Repositories' }).click()
  await page.getByText('Can’t reach the server. Reconnecting…').waitFor()
  assert.match(page.url(), /\/repos$/)
  await bringServerBack(page)
  await page.getByRole('heading', { name: 'Repositories', exact: true }).waitFor()
  await page.getByText('Can’t reach the server. Reconnecting…').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'No repositories yet' }).waitFor()
  await work.getByRole('link', { name: 'Runs' }).click()
  assert.equal(await prompt.inputValue(), 'Count to two')
  await page.reload()
  assert.equal(await prompt.inputValue(), 'Count to two')
})

test('the code of a page that failed to load is fetched again by itself, without a reload', async () => {
  const page = await open(runs)
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  let refused = 0
  await page.context().route(/tokens-page|\/favicon/, async (route) => {
    refused++
    await route.abort('connectionrefused')
  })
  await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }))
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByText('Can’t reach the server.').waitFor()
  assert.ok(refused >= 2)
  await page.context().unroute(/tokens-page|\/favicon/)
  await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
  assert.equal(await page.evaluate(() => 'isTheSame' in globalThis), true)
})

test('a page whose code is missing says so after one reload', async () => {
  // The fault is on its console too, which no other page may have.
  const page = await (await browser.newContext()).newPage()
  const data = { token: service.token }
  await page.request.post(`${service.url}/v1/session`, { data, headers: { origin: service.url } })
  await page.goto(service.url + runs)
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  await page.context().route(/tokens-page/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('heading', { name: 'Something went wrong on this page' }).first().waitFor()
})

test('an address that is no page says so in the frame, and one that was cut short leads to a page', async () => {
  const page = await open(`${organization}/nothing/here`)
  await page.getByRole('heading', { name: 'Page not found' }).first().waitFor()
  await page.getByRole('navigation', { name: 'Work' }).waitFor()
  for (const path of [organization, '/runs', '/organizations']) {
    await page.goto(service.url + path)
    await page.waitForURL(service.url + runs)
  }
  await page.goto(`${service.url}/runs/abc`)
  await page.getByRole('heading', { name: 'Page not found' }).first().waitFor()
})

test('an organization of others is said to be theirs, and nothing can be typed there', async () => {
  const member = await service.call<{ id: number }>('POST', `/v1${organization}/members`, { full_name: 'Femi' })
  const { token } = await service.call<{ token: string }>('POST', `/v1${organization}/tokens`, {
    name: 'femi',
    user_id: member.id,
  })
  const page = await open('/runs/999', { token })
  await page.getByRole('heading', { name: 'You don’t have access to this organization' }).waitFor()
  assert.equal(await page.locator('textarea').count(), 0)
  await page.getByRole('link', { name: 'Your organizations' }).click()
  await page.waitForURL(service.url + runs)
})

test('Enter submits a dialog', async () => {
  const page = await open(`${organization}/repos`)
  await page.getByRole('button', { name: 'Add a repository' }).click()
  await page.getByLabel('Name').fill('atlas')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'atlas', exact: true }).waitFor()
})

test('a press beside a dialog closes it, and one that began in it does not', async () => {
  const page = await open(`${organization}/repos`)
  await page.getByRole('button', { name: 'Add a repository' }).first().click()
  const name = page.getByLabel('Name')
  await name.fill('borealis')
  const { x, y } = (await name.boundingBox())!
  await page.mouse.move(x + 40, y + 10)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  assert.equal(await name.inputValue(), 'borealis')
  await page.mouse.click(5, 5)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('dates are written as the browser’s language does, with the zone in a tooltip', async () => {
  const expires = new Date(Date.now() + 86_400_000 * 400)
  await service.call('POST', `/v1${organization}/tokens`, { name: 'nightly', expires_at: expires.toISOString() })
  for (const locale of ['de-DE', 'ja-JP']) {
    const page = await open(`${organization}/tokens`, { locale, timezoneId: 'Asia/Tokyo' })
    const row = page.locator('.list li', { hasText: 'nightly' })
    const day = expires.toLocaleDateString(locale, {
      month: 'long',
      day: 'numeric',
      year: 'numeric',
      timeZone: 'Asia/Tokyo',
    })
    await row.getByText(day).waitFor()
    assert.match((await row.locator('time').getAttribute('title')) ?? '', /GMT\+9|JST/)
  }
})

test('organizations are switched between at their name, found by typing, and listed on a page', async () => {
  const page = await open(runs)
  await page.getByRole('button', { name: /switch organization/ }).click()
  await page.getByRole('link', { name: 'All organizations' }).click()
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByLabel('Name').fill('Borealis')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Borealis, switch organization' }).click()
  await page.getByRole('searchbox', { name: 'Find an organization' }).fill('first')
  await page.keyboard.press('Enter')
  await page.waitForURL(service.url + runs)
  await page.goto(service.url)
  await page.getByRole('heading', { name: 'Organizations' }).waitFor()
  await page.getByRole('link', { name: 'Borealis' }).click()
  await page.getByRole('button', { name: 'Borealis, switch organization' }).waitFor()
})

test('the palette does what the page offers, and goes to every place', async () => {
  const page = await open(`${organization}/repos`)
  await page.getByRole('button', { name: 'Add a repository' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add a repo')
  await page.getByRole('option', { name: 'Add a repository' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Add a repository' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tokens')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
  const run = await play([{ shell: 'sleep 600' }])
  await page.goto(`${service.url}${runs}/${run.id}`)
  await page.locator('.run-title .pill.in_progress').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('stop')
  await page.getByRole('option', { name: 'Stop', exact: true }).click()
  await page.locator('dialog.dialog[open] [data-first]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.run-title .pill.cancelled').waitFor()
})

test('the choice that the arrows have reached is in sight', async () => {
  const page = await open(`${organization}/repos`, { viewport: { width: 1280, height: 420 } })
  await page.getByRole('button', { name: 'Add a repository' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { selected: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.waitForFunction(() => {
    const list = document.querySelector('#palette-list')!.getBoundingClientRect()
    const at = document.querySelector('#palette-list [aria-selected=true]')!.getBoundingClientRect()
    return at.top >= list.top && at.bottom <= list.bottom
  })
})

test('on a phone, what is no tab is in a sheet, and a run is paused and stopped', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await open(runs, phone)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('dialog').getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
  const run = await play([{ shell: 'sleep 0.2', repeat: 600 }])
  await page.goto(`${service.url}${runs}/${run.id}`)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.locator('.run-title .pill.paused').waitFor()
  await page.getByRole('button', { name: 'Stop' }).first().click()
  await page.locator('dialog[open] [data-first]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.run-title .pill.cancelled').waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true)
})
