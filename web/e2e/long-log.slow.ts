import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, db, open, play, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`
const entriesCount = 100_000
const thoughtsCount = 400
/** Entries that come one at a time, about fifty a second. */
const steadyCount = 200
const steadyPauseMs = 5
/** What stands on a screen, and a little above and below. */
const nodesMax = 3_000

/** A run that waits for an answer with a long log behind it, and then goes on thinking. */
async function makeLongRun(): Promise<number> {
  const { id } = await play([
    { ask: { question: 'Go on?', options: ['yes'] } },
    { think: 'Thought {n}', repeat: thoughtsCount },
    { ask: { question: 'And steadily?', options: ['yes'] } },
    ...Array.from({ length: steadyCount }, (_, n) => [{ think: `Steady ${n}` }, { sleep_ms: steadyPauseMs }]).flat(),
    { answer: 'At last.' },
  ])
  await service.untilRun(id, ({ status }) => status === 'waiting_for_user')
  const { rows } = await db.query('select next_seq from run_heads where run_id = $1', [id])
  const first = Number(rows[0].next_seq)
  const entry = {
    turn: 1,
    message_type: 'ACTION',
    thought: 'Next, the file § is read.',
    tool_name: 'shell',
    tool_input: { command: 'sed -n 1,40p src/main.ts' },
    tool_output: { output: '§', exit_code: 0 },
    observation: null,
    duration_ms: 12,
  }
  await db.query(
    `insert into log_entries (organization_id, run_id, seq, message_type, body)
     select $1, $2, n, 'ACTION', replace($3, '§', md5(n::text))::json from generate_series($4::int, $5::int) n`,
    [service.organizationId, id, JSON.stringify(entry), first, entriesCount],
  )
  await db.query('update run_heads set next_seq = $2, revision = revision + 1 where run_id = $1', [
    id,
    entriesCount + 1,
  ])
  return id
}

/** From now on: how long the page was busy without a break, in milliseconds. */
async function watchTasks(page: Page): Promise<() => Promise<{ longest: number; sum: number }>> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    })
  })
  return () =>
    page.evaluate(() => {
      const tasks = (globalThis as unknown as { tasks: number[] }).tasks.splice(0)
      return { longest: Math.round(Math.max(0, ...tasks)), sum: Math.round(tasks.reduce((a, b) => a + b, 0)) }
    })
}

test('a log of 100,000 entries is read, scrolled, searched and followed, with one screen of it in the page', async (t) => {
  const id = await makeLongRun()
  const page = await open(at)
  await page.locator('.run-row').first().waitFor()
  const from = Date.now()
  await page.goto(`${service.url}${at}/${id}`)
  await page.locator('.entry').first().waitFor()
  t.diagnostic(`first entries after ${Date.now() - from} ms, with the page itself`)
  const taken = await watchTasks(page)
  await page.getByRole('button', { name: 'All 100,000' }).waitFor({ timeout: 120_000 })
  t.diagnostic(`all entries after ${Date.now() - from} ms; long tasks ${JSON.stringify(await taken())}`)

  const box = page.locator('.run-scroll')
  for (let part = 1; part <= 20; part++) {
    await box.evaluate((node, part) => (node.scrollTop = (node.scrollHeight * part) / 20), part)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    assert.ok((await page.locator('.entry').count()) > 0, `nothing is shown at ${part}/20`)
  }
  t.diagnostic(`scrolled from end to end: long tasks ${JSON.stringify(await taken())}`)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  assert.ok(nodes < nodesMax, `${nodes} nodes`)

  await page.locator('.option').click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByRole('button', { name: /^All 100,40\d/ }).waitFor()
  await page.getByText('And steadily?').first().waitFor({ timeout: 60_000 })
  t.diagnostic(`${thoughtsCount} more came: long tasks ${JSON.stringify(await taken())}`)

  const steadyFrom = Date.now()
  await page.locator('.option').click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.locator('.run-title .pill.completed').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: /^All 100,6\d\d/ }).waitFor()
  const steadyRate = Math.round((steadyCount * 1_000) / (Date.now() - steadyFrom))
  t.diagnostic(`${steadyRate} a second came: long tasks ${JSON.stringify(await taken())}`)

  await page.goto(`${service.url}${at}/${id}#s70000`)
  await page.locator('.entry.at[data-seq="70000"]').waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: /^All 100,6\d\d/ }).waitFor({ timeout: 120_000 })
  await page.getByLabel('Search the trace').fill('Thought 123')
  await page.getByText('Thought 123', { exact: true }).waitFor()
})
