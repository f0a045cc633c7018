import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, browser, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = service.organizationId
const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })

test('who has not signed in is asked for a token, and comes where the link leads', async () => {
  const run = await play([{ answer: 'Done.' }], { title: 'A run with a link' })
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${service.url}/runs/${organization}/${run.id}`)
  await page.getByLabel('Token').fill('rw_nobody')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This token is unknown, expired or revoked.').waitFor()
  await page.getByLabel('Token').fill(service.token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'A run with a link' }).waitFor()
  const [cookie] = await page.context().cookies()
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: 'Strict', path: '/' })
  assert.equal(await page.evaluate(() => document.cookie), '')
})

test('a run is started, watched to its end, and its changes are read', async () => {
  const page = await open(`/runs/${organization}`)
  await page.getByLabel('Repository', { exact: true }).selectOption({ label: 'ledger' })
  await page.getByLabel('Engine', { exact: true }).selectOption('scripted')
  await page.getByRole('button', { name: 'More settings' }).click()
  const script = [
    { think: 'Two is after one.' },
    { shell: "printf '\\033[32mgreen\\033[0m\\n'" },
    { write: { path: 'a.txt', content: 'one\ntwo\n' } },
    { answer: 'It counts to **two** now.', title: 'Count to two', body: 'One line more.' },
  ]
  await page.getByLabel('Metadata').fill(JSON.stringify({ script }))
  await page.getByLabel('Title').fill('Count to two')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Starts immediately').waitFor()
  await page.getByLabel('What should the agent do?').fill('Count to two')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Count to two' }).waitFor()
  await page.getByText('Two is after one.').waitFor()
  await page.locator('.run-title .pill.completed').waitFor()
  assert.equal(await page.locator('.trace .card.answer strong').textContent(), 'two')
  await page.getByText('printf').click()
  await page.locator('.term').getByText('green').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  assert.equal(await page.locator('.diff tr.add .tx').textContent(), 'two')
  assert.match(await page.title(), /^Done · Count to two/)
})

test('a message waits while the agent works, is taken back, and a stop ends the run', async () => {
  const run = await play([{ shell: 'sleep 600' }])
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.locator('.run-title .pill.in_progress').waitFor()
  await page.getByLabel('Message to the agent').fill('Leave the tests as they are')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Sent, not read yet: Leave the tests').waitFor()
  assert.equal(await page.getByLabel('Message to the agent').inputValue(), '')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.locator('.queued-msg').waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Message to the agent').inputValue(), 'Leave the tests as they are')
  await page.locator('.run-title h1').click()
  await page.keyboard.press('.')
  await page.locator('dialog[open] [data-first]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.run-title .pill.cancelled').waitFor()
})

test('what is typed while a message is sent or taken back stays', async () => {
  const run = await play([{ shell: 'sleep 600' }])
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.locator('.run-title .pill.in_progress').waitFor()
  const message = page.getByLabel('Message to the agent')
  const asked = Promise.withResolvers<void>()
  const typed = Promise.withResolvers<void>()
  await page.route(/\/messages$/, async (route) => {
    asked.resolve()
    await typed.promise
    await route.continue()
  })
  await message.fill('Leave the tests as they are')
  await page.getByRole('button', { name: 'Send' }).click()
  await asked.promise
  await message.fill('And the docs')
  typed.resolve()
  await page.getByText('Sent, not read yet: Leave the tests').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.locator('.queued-msg').waitFor({ state: 'detached' })
  assert.equal(await message.inputValue(), 'Leave the tests as they are\n\nAnd the docs')
  await service.call('POST', `/v1/organizations/${organization}/agent/run/${run.id}/cancel`)
})

test('a page that loses the network says so, and goes on where it was', async () => {
  const run = await play([{ ask: { question: 'Go on?' } }, { think: 'Meanwhile {n}', repeat: 20 }, { answer: 'Done.' }])
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.getByText('Go on?').first().waitFor()
  await page.context().setOffline(true)
  await page.getByText(/Connection lost after entry/).waitFor()
  await service.call('POST', `/v1/organizations/${organization}/agent/run/${run.id}/questions/1/answer`, {
    answer: 'yes',
  })
  await service.untilEnded(run.id)
  await page.context().setOffline(false)
  await page.getByText(/Back online: \d+ new entries/).waitFor()
  await page.getByText('Meanwhile 20').waitFor()
  await page.locator('.run-title .pill.completed').waitFor()
})

test('a run is paused and goes on', async () => {
  const run = await play([{ shell: 'sleep 0.2', repeat: 600 }])
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.locator('.entry[data-seq="3"]').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.locator('.run-title .pill.paused').waitFor()
  const { length } = await service.log(run.id)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.run-title .pill.in_progress').waitFor()
  await page.locator(`.entry[data-seq="${length + 2}"]`).waitFor()
  await service.call('POST', `/v1/organizations/${organization}/agent/run/${run.id}/cancel`)
})

test('a run that has paused before the answer says so stays paused', async () => {
  const run = await play([{ shell: 'sleep 0.2', repeat: 600 }])
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.locator('.entry[data-seq="3"]').waitFor()
  const isPaused = Promise.withResolvers<void>()
  await page.route(/\/pause$/, async (route) => {
    const response = await route.fetch()
    await isPaused.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.locator('.run-title .pill.paused').waitFor()
  const answer = page.waitForResponse(/\/pause$/)
  isPaused.resolve()
  await (await answer).finished()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('.run-title .pill.in_progress').waitFor()
  await service.call('POST', `/v1/organizations/${organization}/agent/run/${run.id}/cancel`)
})

test('a question is answered by its number, and the run goes on to its end', async () => {
  const run = await play([
    { ask: { question: 'Which one?', options: ['This', 'That'] } },
    { answer: 'You said {reply}.' },
  ])
  const page = await open(`/runs/${organization}`)
  await page.getByRole('link', { name: 'Answer' }).first().click()
  await page.getByText('Which one?').waitFor()
  await page.locator('.run-title h1').click()
  await page.keyboard.press('2')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByText('You said That.').waitFor()
  await service.untilEnded(run.id)
})

test('a run that has ended is sent on with another turn', async () => {
  const run = await play([], {
    metadata: { scripts: [[{ answer: 'First.' }], [{ answer: 'Second.' }]] },
    repo_id: repoId,
  })
  await service.untilEnded(run.id)
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.locator('.trace').getByText('First.').waitFor()
  await page.getByLabel('Message to the agent').fill('Once more')
  await page.keyboard.press('Control+Enter')
  await page.locator('.trace').getByText('Second.').waitFor()
  await page.getByText('Turn 2').first().waitFor()
})

test('an entry has an address of its own, kinds are shown alone, and words are found', async () => {
  const run = await play([{ think: 'Thought number {n}', repeat: 60 }, { shell: 'exit 3' }, { answer: 'Done.' }])
  await service.untilEnded(run.id)
  const page = await open(`/runs/${organization}/${run.id}#s30`)
  await page.locator('.entry.at[data-seq="30"]').waitFor()
  await page.keyboard.press(']')
  await page.locator('.entry.at[data-seq="62"]').waitFor()
  assert.match(page.url(), /#s62$/)
  await page.getByRole('button', { name: /^Failed commands/ }).click()
  assert.equal(await page.locator('.entry').count(), 1)
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByLabel('Search the trace').fill('number 41')
  await page.getByText('Thought number 41').waitFor()
  assert.equal(await page.locator('.entry').count(), 1)
  await page.getByLabel('Search the trace').fill('nowhere')
  await page.getByText('No matching entries').waitFor()
})

test('a pull request is reviewed and merged; one that has changed the same lines is told of them', async () => {
  const change = async (content: string) => {
    const answer = { answer: 'Written.', title: `It says ${content}`, body: 'As **asked**.' }
    const run = await play([{ write: { path: 'a.txt', content: `${content}\n` } }, answer], { repo_id: repoId })
    await service.untilEnded(run.id)
    return run.id
  }
  const [runId, otherId] = [await change('two'), await change('three')]
  const page = await open(`/runs/${organization}/${runId}`)
  const openPull = () =>
    page
      .locator('.run-facts')
      .getByRole('link', { name: /^#\d+ open$/ })
      .click()
  await openPull()
  await page.getByRole('heading', { name: 'It says two' }).waitFor()
  await page.locator('.prose strong', { hasText: 'asked' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('It says 2')
  await page.getByRole('textbox', { name: 'Description' }).fill('In *figures*.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'It says 2' }).waitFor()
  await page.locator('.prose em', { hasText: 'figures' }).waitFor()
  await page.getByRole('tab', { name: 'Files' }).click()
  await page.locator('.diff').press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Why two?')
  await page.keyboard.press('Control+Enter')
  await page.locator('tr.add + .note').getByText('Why two?').waitFor()
  await page.getByRole('tab', { name: 'Conversation' }).click()
  await page.getByText('Why two?').waitFor()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Because.')
  await page.keyboard.press('Control+Enter')
  await page.locator('article', { hasText: 'Because.' }).waitFor()
  await page.getByRole('button', { name: 'Convert to draft' }).click()
  await page.getByRole('button', { name: 'Ready for review' }).click()
  await page.getByLabel('How to merge').selectOption('squash')
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('dialog', { name: 'Squash and merge this pull request?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
  await page.getByText('merged it into main').waitFor()
  assert.equal(await page.getByText('waits for the checks').count(), 0)
  assert.equal(await page.locator('.pull .pill').textContent(), 'Merged')
  await page.goto(`${service.url}/runs/${organization}/${otherId}`)
  await openPull()
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
  await page.getByText(/have changed the same lines of: a\.txt/).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
})

test('a token is made, seen once, signs in, and is ended', async () => {
  const page = await open(`/organizations/${organization}/tokens`)
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByLabel('Name').fill('A robot')
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.locator('.new-token code').textContent()
  assert.match(token ?? '', /^rw_\w{36}$/)
  await page.reload()
  const row = page.locator('.list li', { hasText: 'A robot' })
  await row.waitFor()
  assert.equal(await page.getByText(token!).count(), 0)
  const me = { headers: { authorization: `Bearer ${token}` } }
  assert.equal((await fetch(`${service.url}/v1/users/me`, me)).status, 200)
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal((await fetch(`${service.url}/v1/users/me`, me)).status, 401)
})

test('a repository is added, and a run is started in it', async () => {
  const page = await open(`/organizations/${organization}/repos`)
  await page.getByRole('button', { name: 'Add a repository' }).click()
  await page.getByLabel('Name').fill('atlas')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'atlas', exact: true }).click()
  await page.getByRole('link', { name: 'Runs', exact: true }).last().click()
  await page.getByText('No matching runs').waitFor()
})

test('a run is given another title and another budget', async () => {
  const run = await play([{ ask: { question: 'Go on?' } }], { title: 'A first name' })
  const page = await open(`/runs/${organization}/${run.id}`)
  await page.getByRole('button', { name: 'Configure' }).click()
  await page.getByLabel('Title').fill('A better name')
  await page.getByLabel('Budget in dollars').fill('7.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'A better name' }).waitFor()
  await page.getByText('up to $7.50').waitFor()
  await service.untilRun(run.id, ({ title, max_cost_usd: most }) => title === 'A better name' && most === 7.5)
})

test('who signs out sees nothing any more', async () => {
  const page = await open(`/runs/${organization}`)
  await page.locator('.who').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${service.url}/sign-in`)
  await page.getByLabel('Token').waitFor()
  await page.goto(`${service.url}/runs/${organization}`)
  await page.getByLabel('Token').waitFor()
})
