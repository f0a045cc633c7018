import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = `/organizations/${service.organizationId}`

/** A column of the contestants side by side, by its place. */
const cell = (row: Locator, n: number) => row.getByRole('cell').nth(n)

test('a comparison is read side by side, and the work of one is kept', async () => {
  const repo_id = await makeRepo('compared', { 'a.txt': 'one\n' })
  const playing = (name: string, text: string) => ({
    name,
    agent_type: 'scripted',
    metadata: { script: [{ write: { path: 'a.txt', content: text } }, { answer: `Wrote **${text.trim()}**.` }] },
  })
  await service.call('POST', `/v1${organization}/comparisons`, {
    prompt: 'Count to two',
    repo_id,
    judges: [{ name: 'counts', command: 'echo looking; grep two a.txt' }],
    contestants: [playing('right', 'two\n'), playing('wrong', 'three\n')],
  })
  const page = await open(`${organization}/comparisons`)
  await page.getByRole('link', { name: 'Count to two', exact: true }).click()
  await page.getByText(/All contestants start from [0-9a-f]{7}\./).waitFor()
  const verdicts = page.getByRole('row', { name: 'counts' })
  await cell(verdicts, 0)
    .getByText(/exit 0 · /)
    .waitFor()
  await cell(verdicts, 1)
    .getByText(/exit 1 · /)
    .click()
  await page.getByRole('dialog').getByText('looking').first().waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  const work = page.getByRole('row', { name: 'Work' })
  assert.equal(await work.getByRole('button').count(), 1)
  await cell(work, 0).getByRole('button', { name: 'Keep this one' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep this one' }).click()
  await cell(work, 0)
    .getByRole('link', { name: /^Pull request #\d+$/ })
    .waitFor()
  await cell(work, 1).getByText('Branch deleted').waitFor()
  await page.getByRole('columnheader').getByRole('link', { name: 'wrong' }).click()
  await page.getByRole('complementary').getByRole('link', { name: '#1', exact: true }).click()
  await verdicts.waitFor()
})

test('a comparison is started from its dialog', async () => {
  const page = await open(`${organization}/comparisons`)
  await page.getByRole('button', { name: 'New comparison' }).click()
  await page.getByLabel('Task').fill('Look around')
  await page.getByLabel('Repository').selectOption('compared')
  await page.getByLabel('Base branch').fill('main')
  await page.getByRole('button', { name: 'Remove contestant 2' }).click()
  assert.ok(await page.getByRole('button', { name: 'Start 1 runs' }).isDisabled())
  await page.getByLabel('Engine').selectOption('scripted')
  await page.getByLabel('Runs').selectOption('2')
  await page.getByRole('button', { name: 'Start 2 runs' }).click()
  await page.getByRole('heading', { name: 'Look around' }).waitFor()
  await page.getByRole('columnheader', { name: 'scripted #2' }).waitFor()
  const { items } = await service.call<{ items: object[] }>('GET', `/v1${organization}/comparisons?limit=1`)
  assert.partialDeepStrictEqual(items, [{ title: 'Look around', base_branch: 'main' }])
})
