import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { releasedBy } from '@runwright/server/test/service.ts'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

// Longer than the SDK waits by itself, so that pages are told.
const seconds = 30
const { service, open, play, makeRepo, faults } = await openUi({
  RUNWRIGHT_RATE_LIMITS: `standard=0,creation=0,logs=0,session=100/${seconds}`,
})
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })

/** Sends so much that nothing more passes for a while. */
const useUpLimit = (page: Page) =>
  page.evaluate(async () => {
    while ((await fetch('/v1/users/me')).status !== 429);
  })

test('a page that is refused for too many requests says so, keeps what was typed, and goes on by itself', async () => {
  const page = await open(runs)
  await page.getByLabel('What should the agent do?').fill('Count to two')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  await page.getByText('Starts immediately').waitFor()
  await useUpLimit(page)
  const work = page.getByRole('navigation', { name: 'Work' })
  await work.getByRole('link', { name: 'Repositories' }).click()
  const strip = page.locator('.server-strip', { hasText: 'Too many requests in a short time.' })
  await strip.waitFor()
  await page.getByRole('link', { name: 'ledger', exact: true }).waitFor()
  await strip.waitFor({ state: 'detached' })
  await work.getByRole('link', { name: 'Runs' }).click()
  assert.equal(await page.getByLabel('What should the agent do?').inputValue(), 'Count to two')
})

test('a run whose log is refused for too many requests does not say that the connection is lost', async () => {
  const shell = releasedBy('go')
  const run = await play([{ think: 'I look around.' }, { shell }, { answer: 'Done.' }], { repo_id: repoId })
  const page = await open(`${runs}/${run.id}`)
  await page.getByText('I look around.').waitFor()
  await service.untilRun(run.id, ({ status }) => status === 'in_progress')
  await page.locator('.pill.in_progress').waitFor()
  await useUpLimit(page)
  // The stream breaks off, and cannot be opened again at once.
  await page.context().setOffline(true)
  await page.getByText('Connection lost').waitFor()
  await page.context().setOffline(false)
  await page.getByText('The log continues by itself in a moment.').waitFor()
  assert.equal(await page.getByText('Connection lost').count(), 0)
  service.release(run.id, 'go')
  await page.locator('.run-title .pill.completed').waitFor()
  await page.getByText('The log continues by itself in a moment.').waitFor({ state: 'detached' })
})
