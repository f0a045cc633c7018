import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = `/organizations/${service.organizationId}`
const api = `/v1${organization}`
const phone = { viewport: { width: 320, height: 800 } }
const window = { viewport: { width: 900, height: 860 } }

const boxOf = async (node: Locator) => {
  const box = await node.boundingBox()
  assert.ok(box)
  return box
}
/** Nothing makes the page wider than the screen. */
const isAsWideAsScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('names of repositories are not cut off in a narrow window', async () => {
  await makeRepo('exchange-rates', { 'a.txt': 'one\n' })
  for (const look of [window, phone]) {
    const page = await open(`${organization}/repos`, look)
    const line = page.locator('.truncate', { has: page.getByRole('link', { name: 'exchange-rates', exact: true }) })
    await line.first().waitFor()
    const isCut = await line.first().evaluate((node) => node.scrollWidth > node.clientWidth)
    assert.equal(isCut, false, `${look.viewport.width} px`)
    assert.ok(await isAsWideAsScreen(page))
  }
})

test('names of secrets are not broken up in a narrow window', async () => {
  const repoId = await makeRepo('kept', { 'a.txt': 'one\n' })
  const name = 'EXCHANGE_RATES_KEY'
  await service.call('PUT', `${api}/repos/${repoId}/secrets/${name}`, { value: 'a-long-enough-value' })
  for (const look of [window, phone]) {
    const page = await open(`${organization}/repos/${repoId}?section=secrets`, look)
    const code = page.locator('code', { hasText: name })
    await code.waitFor()
    const lines = await code.evaluate((node) => node.getClientRects().length)
    assert.equal(lines, 1, `${look.viewport.width} px`)
    assert.ok(await isAsWideAsScreen(page))
  }
})

test('the section of a repository that is open is in view on a phone', async () => {
  const repoId = await makeRepo('seen', { 'a.txt': 'one\n' })
  const page = await open(`${organization}/repos/${repoId}?section=secrets`, phone)
  const list = page.getByRole('navigation', { name: 'Repository' })
  const here = list.getByRole('link', { name: 'Secrets' })
  await page.waitForFunction(() => (document.querySelector('.subnav')?.scrollLeft ?? 0) > 0)
  const [outer, inner] = [await boxOf(list), await boxOf(here)]
  assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width, JSON.stringify({ outer, inner }))
})

test('two runs are compared side by side on a phone', async () => {
  const runs = [await play([{ answer: '- one\n- two' }]), await play([{ answer: 'Done.' }])]
  for (const { id } of runs) await service.untilEnded(id)
  const page = await open(`/runs/${service.organizationId}/compare?a=${runs[0]!.id}&b=${runs[1]!.id}`, phone)
  await page.getByText('Done.').waitFor()
  const result = await boxOf(page.getByRole('row', { name: 'Result' }).getByText('Done.'))
  assert.ok(result.x + result.width <= 320, JSON.stringify(result))
  const listStyle = await page
    .locator('.compare li')
    .first()
    .evaluate((node) => getComputedStyle(node).listStyleType)
  assert.equal(listStyle, 'disc')
  assert.ok(await isAsWideAsScreen(page))
})

test('the inbox keeps its button at the end of the line', async () => {
  const run = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }])
  await service.untilEnded(run.id)
  const page = await open(`${organization}/inbox`, { viewport: { width: 1280, height: 860 } })
  const list = page.locator('.panel.list')
  await list.waitFor()
  const [button, items] = [await boxOf(page.getByRole('button', { name: 'Mark all as read' })), await boxOf(list)]
  assert.ok(Math.abs(button.x + button.width - (items.x + items.width)) < 2)
})
