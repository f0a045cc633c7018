import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RunAnswer } from '@runwright/server/test/service.ts'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })

const asking = await play([{ ask: { question: 'Which currency list?\nThere are two.', options: ['ISO', 'Ours'] } }])
const failed = await play([{ fail: { code: 'stuck', message: 'It went in circles.' } }], { title: 'Goes wrong' })
const written = await play([{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Counted.', title: 'Two' }], {
  repo_id: repoId,
  title: 'Counts to two',
})
await Promise.all([service.untilEnded(failed.id), service.untilEnded(written.id)])
await service.untilRun(asking.id, ({ status }) => status === 'waiting_for_user')

test('a row says when it was started and what it asks, and nothing where no price is known', async () => {
  const page = await open(runs)
  await page.locator(`[data-run="${asking.id}"]`).getByText('Asks: Which currency list?', { exact: true }).waitFor()
  const time = page.locator(`[data-run="${failed.id}"] time`)
  assert.match(await time.innerText(), /^(?:just now|\d+ min ago)$/)
  assert.match((await time.getAttribute('title')) ?? '', /UTC|GMT/)
  assert.equal(await page.getByText('–', { exact: true }).count(), 0)
})

test('filters are words in the address, are saved as a view, and are removed by a press', async () => {
  const page = await open(runs)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Status').selectOption('Failed')
  await page.getByLabel('Created').selectOption('Last 7 days')
  await page.locator(`[data-run="${written.id}"]`).waitFor({ state: 'detached' })
  await page.locator(`[data-run="${failed.id}"]`).waitFor()
  assert.match(page.url(), /\?status=failed&since=week$/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name').fill('Broken lately')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Remove filter: Failed' }).click()
  await page.getByRole('link', { name: 'Remove filter: Last 7 days' }).click()
  await page.locator(`[data-run="${written.id}"]`).waitFor()
  // In another browser of the same person.
  const other = await open(runs)
  await other.getByRole('link', { name: 'Broken lately' }).click()
  await other.locator(`[data-run="${written.id}"]`).waitFor({ state: 'detached' })
  assert.match(other.url(), /\?status=failed&since=week$/)
  await other.getByRole('button', { name: 'Delete view' }).click()
  await other.getByRole('link', { name: 'Broken lately' }).waitFor({ state: 'detached' })
  await page.goto(`${service.url}${runs}?q=nothing-has-this`)
  await page.getByText('No matching runs').waitFor()
})

test('selected runs are compared, tried again, archived and stopped', async () => {
  const page = await open(runs)
  const select = (id: number) => page.locator(`[data-run="${id}"] input`).check()
  await select(failed.id)
  await page.locator(`[data-run="${written.id}"] .title a`).focus()
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected runs' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('rowheader', { name: 'Duration' }).waitFor()
  await page.getByRole('cell', { name: '1 file (+1 −1)' }).waitFor()
  await page.getByRole('cell', { name: 'It went in circles.' }).waitFor()
  await page.goBack()
  await select(failed.id)
  await bar.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('1 run started again').waitFor()
  await bar.waitFor({ state: 'detached' })
  await select(failed.id)
  await bar.getByRole('button', { name: 'Archive' }).click()
  await page.locator(`[data-run="${failed.id}"]`).waitFor({ state: 'detached' })
  await page.goto(`${service.url}${runs}?archived=true`)
  await page.locator(`[data-run="${failed.id}"]`).waitFor()
  await page.goto(service.url + runs)
  await select(asking.id)
  await bar.getByRole('button', { name: 'Stop' }).click()
  await page.keyboard.press('Enter')
  await service.untilRun(asking.id, ({ status }) => status === 'cancelled')
  await page.getByText('1 run stopped').waitFor()
})

test('a run that continues a branch is tried again on that branch, and one with a branch of its own from the start', async () => {
  const script = [{ write: { path: 'b.txt', content: 'b\n' } }, { fail: { code: 'stuck', message: 'It is stuck.' } }]
  const { branch } = await service.untilEnded(written.id)
  const options = await play(script, { repo_id: repoId, branch, title: 'On a given branch' })
  const own = await play(script, { repo_id: repoId, title: 'On its own branch' })
  await Promise.all([service.untilEnded(options.id), service.untilEnded(own.id)])
  const page = await open(`${runs}?status=failed`)
  for (const { id } of [options, own]) await page.locator(`[data-run="${id}"] input`).check()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('2 runs started again').waitFor()
  const retryOf = async ({ id, title }: RunAnswer) => {
    const list = `/v1/organizations/${service.organizationId}/agent/runs?q=${encodeURIComponent(String(title))}`
    const { items } = await service.call<{ items: RunAnswer[] }>('GET', list)
    return service.untilEnded(items.find((one) => one.id !== id)!.id)
  }
  assert.equal((await retryOf(options)).branch, branch)
  const again = await retryOf(own)
  assert.ok(again.branch?.startsWith(`agent/${again.id}-`), again.branch ?? '')
})

test('a retry has the images and the output schema of the first try', async () => {
  const script = [{ fail: { code: 'stuck', message: 'It is stuck.' } }]
  const options = { images: [onePixel], output_schema: { type: 'object', required: ['sum'] } }
  const first = await play(script, { title: 'Looks at an image', ...options })
  await service.untilEnded(first.id)
  const page = await open(`${runs}?q=image`)
  await page.locator(`[data-run="${first.id}"] input`).check()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('1 run started again').waitFor()
  const at = `/v1/organizations/${service.organizationId}/agent`
  const { items } = await service.call<{ items: RunAnswer[] }>('GET', `${at}/runs?q=image`)
  const again = items.find(({ id }) => id !== first.id)!
  assert.deepEqual(await service.call('GET', `${at}/run/${again.id}/input`), options)
})

test('what was searched for is gone once the address is another', async () => {
  const page = await open(runs)
  const search = page.getByLabel('Search runs')
  await search.fill('nothing-has-this')
  await page.getByText('No matching runs').waitFor()
  await page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: 'Runs' }).click()
  await page.locator(`[data-run="${written.id}"]`).waitFor()
  assert.equal(await search.inputValue(), '')
})

test('the list reads on as its end comes near', async () => {
  for (let n = 0; n < 60; n++) await play([{ answer: 'Done.' }], { title: `Many ${n}` })
  const page = await open(`${runs}?q=Many`)
  await page.getByText('40 of 60 runs').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Many 20', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Many 0', exact: true }).waitFor()
  assert.equal(await page.locator('.run-row').count(), 60)
})

test('a list that is read anew while its next page comes reads that page after all', async () => {
  const page = await open(`${runs}?q=Many`)
  let asked = 0
  // The first time, the page comes only after the list was read anew.
  await page.context().route(/[?&]skip=40\b/, async (route) => {
    if (++asked === 1) {
      await play([{ answer: 'Done.' }], { title: 'Many more' })
      await page.getByRole('link', { name: 'Many more', exact: true }).waitFor()
    }
    await route.continue()
  })
  await page.reload()
  await page.getByRole('link', { name: 'Many 20', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('link', { name: 'Many 0', exact: true }).waitFor()
  assert.ok(asked > 1)
  await page.context().unrouteAll({ behavior: 'wait' })
})

test('nothing goes beyond the edge of the screen, from 320 pixels up', async () => {
  const page = await open(runs)
  await page.locator('.run-row').first().waitFor()
  for (const width of [320, 390, 640, 700, 900, 1000, 1152, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true, `${width}`)
  }
})
