import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@runwright/server/test/test-sandboxes.ts'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const runs = `/runs/${service.organizationId}`
type Configured = {
  effort: string | null
  max_model_calls: number | null
  id: number
  metadata: object | null
  archived: boolean
  max_cost_usd: number | null
  branch: string
  title: string
}

const composer = (page: Page) => page.getByRole('form', { name: 'Start a run' })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a run is given other metadata, a budget and minutes, and is archived', async () => {
  const run = await play([{ ask: { question: 'Go on?' } }, { ask: { question: 'To the end?' } }])
  await service.untilRun(run.id, ({ status }) => status === 'waiting_for_user')
  const page = await open(`${runs}/${run.id}`)
  await page.getByRole('button', { name: 'Configure' }).click()
  const dialog = page.getByRole('dialog')
  const route = `/v1/organizations/${service.organizationId}/agent/run/${run.id}`
  await service.call('PATCH', route, { title: 'Named by somebody else' })
  // The page hears of it with the next status.
  await service.call('POST', `${route}/questions/1/answer`, { answer: 'yes' })
  await page.getByRole('heading', { name: 'Named by somebody else', includeHidden: true }).waitFor()
  await dialog.getByLabel('Metadata').fill('{"team":')
  await dialog.getByText('Enter a JSON object.').waitFor()
  await dialog.getByLabel('Metadata').fill('{"team":"billing"}')
  await dialog.getByLabel('Minutes per turn').fill('20')
  await dialog.getByLabel('Effort').selectOption('high')
  await dialog.getByLabel('Model calls per turn').fill('30')
  await dialog.getByLabel(/^Archived/).check()
  await dialog.getByLabel('Budget in dollars').fill('2')
  // A form: Enter saves it.
  await dialog.getByLabel('Budget in dollars').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const { metadata, archived, max_cost_usd: budget, title, ...more } = await service.call<Configured>('GET', route)
  assert.deepEqual({ metadata, archived, budget }, { metadata: { team: 'billing' }, archived: true, budget: 2 })
  assert.deepEqual([more.effort, more.max_model_calls], ['high', 30])
  assert.equal(title, 'Named by somebody else')
})

test('a run that has ended is deleted, and its link says so', async () => {
  const run = await play([{ answer: 'Done' }])
  const page = await open(`${runs}/${run.id}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the run' }).click()
  await page.getByText(`Run ${run.id} was deleted`).waitFor()
  await page.waitForURL(new RegExp(`${runs}(\\?|$)`))
  const again = await open(`${runs}/${run.id}`)
  await again.getByText(`Run ${run.id} was deleted on`, { exact: false }).waitFor()
})

test('engines and models that cannot be chosen say why', async () => {
  const page = await open(runs)
  const engine = composer(page).getByLabel('Engine')
  await engine.locator('option[disabled]').first().waitFor({ state: 'attached' })
  assert.match((await engine.locator('option[disabled]').first().textContent()) ?? '', /\(.+\)$/)
})

test('a run goes on with an open pull request, on a branch that is suggested', async () => {
  const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })
  const first = await play([{ write: { path: 'a.txt', content: 'two\n' } }, { answer: 'Done.', title: 'Adds two' }], {
    repo_id: repoId,
  })
  await service.untilEnded(first.id)
  const page = await open(runs)
  await composer(page).getByLabel('Repository', { exact: true }).selectOption({ label: 'ledger' })
  await page.getByRole('button', { name: 'More settings' }).click()
  const dialog = page.getByRole('dialog')
  const pull = dialog.getByLabel('Continue a pull request')
  await pull.locator('option', { hasText: 'Adds two' }).waitFor({ state: 'attached' })
  await pull.selectOption({ index: 1 })
  assert.equal(await dialog.getByLabel('Continue a branch').isDisabled(), true)
  await dialog.getByLabel('Effort').selectOption('low')
  await dialog.getByLabel('Folders').fill('api\n\n web ')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await composer(page).getByLabel('Engine').selectOption('scripted')
  await page.getByRole('button', { name: 'Details' }).click()
  const answer = page.getByRole('dialog')
  await answer.getByText('Environment').waitFor()
  await answer.getByText('Blocked by').waitFor()
  await answer.locator('dt:text-is("Pull request") + dd', { hasText: /^\d+$/ }).waitFor()
  await answer.locator('dt:text-is("Effort") + dd').waitFor()
  await answer.locator('dt:text-is("Folders") + dd', { hasText: /^api, web$/ }).waitFor()
})

test('the repository that was chosen is kept, also when it was none', async () => {
  const page = await open(runs)
  const pick = composer(page).getByLabel('Repository', { exact: true })
  await pick.selectOption({ label: 'ledger' })
  await page.reload()
  await composer(page)
    .locator('select[title=Repository] option:checked', { hasText: 'ledger' })
    .waitFor({ state: 'attached' })
  await pick.selectOption({ label: 'No repository' })
  await page.reload()
  await pick.locator('option', { hasText: 'ledger' }).waitFor({ state: 'attached' })
  await composer(page).getByText('Starts immediately').waitFor()
  assert.equal(await pick.inputValue(), '')
})

test('a branch is picked from a list that gets shorter as one types, and another name can be typed', async () => {
  const branches = Array.from({ length: 120 }, (_, n) => `topic/${n + 1}`)
  await makeRepo('branchy', { 'a.txt': 'one\n' }, ['Release-7', ...branches])
  const page = await open(runs)
  await composer(page).getByLabel('Repository', { exact: true }).selectOption({ label: 'branchy' })
  await page.getByRole('button', { name: 'More settings' }).click()
  const dialog = page.getByRole('dialog')
  const base = dialog.getByRole('combobox', { name: 'Base branch' })
  const list = dialog.getByRole('listbox', { name: 'Base branch' })
  await base.click()
  await list.getByRole('option', { name: 'main default' }).waitFor()
  await dialog.getByText('22 more. Type to narrow the list.').waitFor()
  // The service is asked for what was not among the first.
  await base.fill('opic/99')
  await list.getByRole('option', { name: 'topic/99' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1)
  await base.press('ArrowDown')
  await base.press('Enter')
  await list.waitFor({ state: 'detached' })
  assert.equal(await base.inputValue(), 'topic/99')
  // The list closes before the dialog does.
  await base.fill('nothing')
  await dialog.getByText('No matching branch.').waitFor()
  await base.press('Escape')
  await list.waitFor({ state: 'detached' })
  assert.equal(await base.inputValue(), 'nothing')
  const other = dialog.getByRole('combobox', { name: 'Continue a branch' })
  await other.fill('release')
  await dialog.getByRole('option', { name: 'Release-7' }).click()
  assert.equal(await other.inputValue(), 'Release-7')
  await base.fill('main')
  await base.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await composer(page).getByLabel('Engine').selectOption('scripted')
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('dialog').locator('dt:text-is("Branch") + dd', { hasText: 'Release-7' }).waitFor()
})

test('how a run would start is asked once nobody types any more, and no longer for what was typed before', async () => {
  const page = await open(runs)
  await page.getByText('Starts immediately').waitFor()
  const asked: string[] = []
  const cancelled: string[] = []
  const titleOf = (body: string | null) => /"title":"([^"]*)"/.exec(body ?? '')?.[1] ?? ''
  page.on('requestfailed', (request) => cancelled.push(titleOf(request.postData())))
  /** Key by key, and quicker than any timer. */
  const type = (text: string) =>
    page.getByLabel('Title').evaluate((input, typed) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
      for (let end = 1; end <= typed.length; end++) {
        set!.call(input, typed.slice(0, end))
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }, text)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(/\/agent\/run$/, async (route) => {
    const title = titleOf(route.request().postData())
    asked.push(title)
    if (title === 'Count') await held
    await route.continue().catch(() => {})
  })
  await page.getByRole('button', { name: 'More settings' }).click()
  await type('Count')
  await until(() => asked.includes('Count'), 'it is asked')
  await type('Count to two')
  await until(() => asked.includes('Count to two'), 'it is asked again')
  await until(() => cancelled.includes('Count'), 'what was typed before is not waited for')
  letGo()
  assert.deepEqual(asked, ['Count', 'Count to two'])
})

test('an output schema is checked as it is typed', async () => {
  const page = await open(runs)
  await page.getByRole('button', { name: 'More settings' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel('Output JSON Schema')
  await field.fill('{"type":')
  await dialog.getByText(/^Not valid JSON/).waitFor()
  await field.fill('{"type":"nothing"}')
  await dialog.locator('.error').waitFor()
  await field.fill('{"type":"object"}')
  await dialog.getByText('The schema is valid.').waitFor()
})

test('images are pasted and dropped into the task, and taken out again', async () => {
  const page = await open(runs)
  const give = (kind: 'paste' | 'drop', name: string, type: string) =>
    page.evaluate(
      ([kind, name, type, data]) => {
        const bytes = Uint8Array.from(atob(data!), (letter) => letter.charCodeAt(0))
        const transfer = new DataTransfer()
        transfer.items.add(new File([bytes], name!, { type: type! }))
        const event =
          kind === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
        document.querySelector('#prompt')!.dispatchEvent(event)
      },
      [kind, name, type, png],
    )
  await composer(page).waitFor()
  await give('paste', 'pasted.png', 'image/png')
  await composer(page).getByText('pasted.png').waitFor()
  await give('drop', 'dropped.png', 'image/png')
  await composer(page).getByText('dropped.png').waitFor()
  await composer(page).getByText('2 images').waitFor()
  await composer(page).getByRole('button', { name: 'Remove pasted.png' }).click()
  await give('drop', 'notes.txt', 'text/plain')
  await composer(page).getByText('notes.txt is not an image.').waitFor()
  await composer(page).getByText('1 image', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More settings' }).click()
  const chosen = { name: 'chosen.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
  for (let n = 0; n < 2; n++) {
    await page.getByRole('dialog').getByLabel('Images').setInputFiles(chosen)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove chosen.png' }).click()
  }
  await page.getByRole('button', { name: 'Done' }).click()
  // A text that is dropped is the field's own business.
  const isTaken = await page.evaluate(() => {
    const transfer = new DataTransfer()
    transfer.setData('text/plain', 'Count to two')
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
    document.querySelector('#prompt')!.dispatchEvent(drop)
    return drop.defaultPrevented
  })
  assert.equal(isTaken, false)
})
