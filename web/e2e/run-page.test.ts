import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`
const repoId = await makeRepo('ledger', { 'a.txt': 'one\n', 'src/sum.js': 'export const sum = (a, b) => a - b\n' })
const small = { viewport: { width: 1280, height: 700 } }

/** Waits until the end of the trace is in sight, however long the browser takes to draw what came last. */
const untilAtEnd = (page: Page) =>
  page.waitForFunction(() => {
    const box = document.querySelector('.run-scroll')
    return box !== null && box.scrollHeight - box.clientHeight - box.scrollTop < 30
  })

test('a run that somebody starts is followed until they scroll up, and again from the end on', async () => {
  // With motion, a wheel scrolls step by step, as it does for most people.
  const page = await open(at, { ...small, reducedMotion: 'no-preference' })
  await page.getByLabel('Engine', { exact: true }).selectOption('scripted')
  await page.getByRole('button', { name: 'More settings' }).click()
  const script = [
    { think: 'Thought {n}\n\nwith a second paragraph', repeat: 60 },
    { ask: { question: 'Go on?', options: ['yes'] } },
    { think: 'Later thought {n}', repeat: 30 },
    { ask: { question: 'To the end?', options: ['yes'] } },
    { answer: 'All is done.' },
  ]
  await page.getByLabel('Metadata').fill(JSON.stringify({ script }))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('textbox').first().fill('Think a lot')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Go on?').first().waitFor()
  await page.getByText('Thought 60').waitFor()
  await untilAtEnd(page)
  await page.locator('.run-scroll').hover()
  await page.mouse.wheel(0, -400)
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  const before = await page.locator('.run-scroll').evaluate((box) => box.scrollTop)
  await page.getByRole('radio', { name: 'yes' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByText('To the end?').first().waitFor()
  assert.equal(await page.locator('.run-scroll').evaluate((box) => box.scrollTop), before)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await page.getByText('Later thought 30').waitFor()
  await page.getByRole('radio', { name: 'yes' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.locator('.run-title .pill.completed').waitFor()
  await page.locator('.outcome-end').getByRole('button', { name: 'Follow up' }).waitFor()
  await untilAtEnd(page)
})

test('an ended run opens on its answer, its changes and the review of its pull request', async () => {
  const script = [
    { think: 'Thought {n}', repeat: 60 },
    { write: { path: 'a.txt', content: 'one\ntwo\n' } },
    { answer: 'It counts to **two** now.', title: 'Count to two' },
  ]
  const run = await play(script, { repo_id: repoId })
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`, small)
  const outcome = page.getByRole('region', { name: 'Outcome' })
  await outcome.locator('strong', { hasText: 'two' }).waitFor()
  assert.ok(await outcome.isVisible())
  assert.equal(await page.locator('.run-scroll').evaluate((box) => box.scrollTop), 0)
  await outcome.getByText('1 file changed').waitFor()
  await outcome.locator('.stat .p', { hasText: '+1' }).waitFor()
  assert.equal(await outcome.locator('.btn.primary').count(), 1)
  // What is below it is where the list says: an entry far down is brought on the screen.
  await page.goto(`${service.url}${at}/${run.id}#s50`)
  const entry = page.locator('.entry.at[data-seq="50"]')
  await entry.waitFor()
  const [box, frame] = [await entry.boundingBox(), await page.locator('.run-scroll').boundingBox()]
  assert.ok(box!.y > frame!.y && box!.y + box!.height < frame!.y + frame!.height, 'on the screen')
  await page.keyboard.press('Home')
  await outcome.getByRole('link', { name: 'Review pull request' }).click()
  await page.getByRole('heading', { name: 'Count to two' }).waitFor()
})

test('the plan of a run that is done is done, item by item', async () => {
  const run = await play([{ plan: ['Look', 'Write', 'Check'] }, { think: 'I look.' }, { answer: 'Done.' }])
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`)
  const plan = page.getByRole('region', { name: /^Plan/ })
  await plan.getByText('3 of 3').waitFor()
  assert.equal(await plan.locator('li.done').count(), 3)
})

test('a log whose stream fails says that it is not read, and goes on by itself', async () => {
  const run = await play([{ think: 'I look around.' }, { answer: 'Done.' }])
  await service.untilEnded(run.id)
  const page = await open(`/organizations/${service.organizationId}/repos`)
  await page.route(/\/stream\b/, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: 'No.' } }))
  await page.goto(`${service.url}${at}/${run.id}`)
  await page.getByText('Connection lost after entry 0.').waitFor()
  await page.unroute(/\/stream\b/)
  await page.getByText('I look around.').waitFor()
  await page.getByText('Connection lost').waitFor({ state: 'detached' })
})

test('what an outcome says leads to the entries that show it', async () => {
  const script = [
    { shell: 'echo before' },
    { think: 'Thought {n}', repeat: 40 },
    { write: { path: 'src/sum.js', content: 'export const sum = (a, b) => a + b\n' } },
    { think: 'Further thought {n}', repeat: 40 },
    { shell: 'grep -q "a + b" src/sum.js' },
    { answer: 'It adds.', title: 'Add' },
  ]
  const run = await play(script, { repo_id: repoId })
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`, small)
  const outcome = page.getByRole('region', { name: 'Outcome' })
  const entry = (seq: string) => page.locator(`.entry.at[data-seq="${seq}"]`)
  const follow = async (claim: RegExp) => {
    await page.locator('.run-scroll').press('Home')
    const link = outcome.locator('li', { hasText: claim }).getByRole('link', { name: /^Entry \d+$/ })
    const seq = (await link.textContent())!.slice(1)
    await link.click()
    await entry(seq).waitFor()
    assert.equal(new URL(page.url()).hash, `#s${seq}`)
    return entry(seq)
  }
  await (await follow(/^src\/sum\.js/)).getByText('src/sum.js').first().waitFor()
  await outcome.getByText('Ran after the last edit').waitFor()
  await (await follow(/^grep -q/)).getByText('grep -q').first().waitFor()
  assert.equal(await outcome.getByText('echo before').count(), 0)
  await outcome.locator('li', { hasText: 'grep -q' }).getByText('exit 0').waitFor()
  await follow(/^Pull request opened/)
})

test('a failed run opens on its cause, with the failing step open, and can be explained and retried', async () => {
  const run = await play([], {
    metadata: {
      scripts: [
        [
          { think: 'Thought {n}', repeat: 30 },
          { shell: "echo 'Error: the import has no end'; exit 3" },
          { fail: { code: 'engine_error', message: 'The tests do not pass.' } },
        ],
        [{ answer: 'Now it works.' }],
      ],
    },
    repo_id: repoId,
  })
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`, small)
  const outcome = page.getByRole('region', { name: 'Outcome' })
  await outcome.getByText('The tests do not pass.').waitFor()
  await outcome.locator('.btn.primary', { hasText: 'Explain failure' }).waitFor()
  await outcome.getByRole('button', { name: 'Go to failing step' }).click()
  await page.locator('.entry.at .term', { hasText: 'the import has no end' }).waitFor()
  await page.locator('.run-scroll').press('Home')
  await outcome.getByRole('button', { name: 'Explain failure' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(`/${run.id}`))
  await page.locator('.run-title .pill.completed').waitFor()
  await page.goto(`${service.url}${at}/${run.id}`)
  await outcome.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Now it works.').first().waitFor()
  await page.locator('.run-title .pill.completed').waitFor()
})

test('a command that exits with 1 is no error of the run, and is counted once', async () => {
  const run = await play([
    { shell: 'exit 1' },
    { shell: 'exit 1' },
    { error: 'The model is away.' },
    { answer: 'Done.' },
  ])
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`)
  await page.getByRole('button', { name: 'Errors 1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Failed commands 2', exact: true }).click()
  await page.locator('.entry .exit.bad').first().waitFor()
  assert.equal(await page.locator('.entry').count(), 2)
})

test('a search marks what it finds, counts by kind, and goes from match to match', async () => {
  const script = [
    { think: 'The needle number {n}', repeat: 12 },
    { shell: 'echo a needle' },
    { shell: 'seq 1 30; echo NEEDLE deep inside; seq 1 30' },
    { think: 'Only hay {n}', repeat: 40 },
    { answer: 'Found the needle.' },
  ]
  const run = await play(script)
  await service.untilEnded(run.id)
  const page = await open(`${at}/${run.id}`, small)
  await page.getByRole('button', { name: 'Tools 2', exact: true }).waitFor()
  const search = page.getByLabel('Search the trace')
  const results = page.getByRole('status', { name: 'Search results' })
  await search.fill('needle')
  await page.getByRole('button', { name: 'All 15', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Thoughts 12', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Tools 2', exact: true }).waitFor()
  assert.equal(await results.textContent(), '15')
  await page.locator('.thought mark', { hasText: 'needle' }).first().waitFor()
  await search.press('Enter')
  await page.waitForFunction(() => document.querySelector('.found-count')?.textContent === '1 of 15')
  await search.press('Enter')
  await search.press('Enter')
  await page.waitForFunction(() => document.querySelector('.found-count')?.textContent === '3 of 15')
  await search.press('Shift+Enter')
  await page.waitForFunction(() => document.querySelector('.found-count')?.textContent === '2 of 15')
  await page.locator('.entry.at mark').first().waitFor()
  await page.getByRole('button', { name: 'Tools 2', exact: true }).click()
  // What is folded in a long output opens where the words are in it.
  await page.locator('.term mark', { hasText: /^NEEDLE$/ }).waitFor()
})

test('a command is on the page the moment it starts, with a clock and its growing output', async () => {
  const run = await play([
    { ask: { question: 'Go on?', options: ['yes'] } },
    { shell: "sleep 2; printf 'first\\n'; sleep 1; printf 'second\\n'; until test -e /tmp/go; do sleep 0.1; done" },
    { answer: 'Done.' },
  ])
  const page = await open(`${at}/${run.id}`, small)
  await page.getByRole('radio', { name: 'yes' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const live = page.locator('.trace-live')
  await live.locator('.arg', { hasText: 'sleep 2' }).waitFor()
  assert.equal(await live.locator('.term').count(), 0)
  await page.locator('.now', { hasText: 'Running sleep 2' }).waitFor()
  await live.locator('.dur', { hasText: /^1\.\d s$/ }).waitFor()
  await live.locator('.term', { hasText: 'first' }).waitFor()
  await live.locator('.term', { hasText: 'second' }).waitFor()
  // Whoever opens the page later sees the same command, with the same clock.
  await page.reload()
  await live.locator('.arg', { hasText: 'sleep 2' }).waitFor()
  await live.locator('.dur', { hasText: /^[3-9]\.\d s$/ }).waitFor()
  await service.call('POST', `/v1/organizations/${service.organizationId}/agent/run/${run.id}/cancel`)
  await page.locator('.run-title .pill.cancelled').waitFor()
  assert.equal(await live.count(), 0)
})

test('a thought and an answer are shown as they are written, and are there once in the end', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n + 1}`).join(' ')
  const run = await play([
    { ask: { question: 'Go on?', options: ['yes'] } },
    { type: { thought: `First I think: ${words(30)}`, piece_ms: 60 } },
    { type: { answer: `So **this** is it: ${words(30)}`, piece_ms: 60 } },
  ])
  const page = await open(`${at}/${run.id}`, small)
  await page.getByRole('radio', { name: 'yes' }).click()
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  const live = page.locator('.trace-live')
  await live.getByText(/^First I think: word1\b(?!.*word30)/).waitFor()
  await page.locator('.trace .thought', { hasText: 'word30' }).waitFor()
  await page.locator('.trace-live[data-live=answer] strong', { hasText: 'this' }).waitFor()
  assert.equal(await page.locator('.thought', { hasText: 'First I think' }).count(), 1)
  await page.locator('.run-title .pill.completed').waitFor()
  await page.locator('.trace .card.answer', { hasText: 'word30' }).waitFor()
  assert.equal(await live.count(), 0)
})
