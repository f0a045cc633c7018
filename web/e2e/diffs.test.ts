import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`
const sum = 'export function sum(a, b) {\n  return a + b // both\n}\n'
const repoId = await makeRepo('ledger', {
  'src/sum.js': sum,
  'src/old.py': 'def one():\n    return 1\n',
  'a.txt': 'one\n',
})
const script = [
  { write: { path: 'src/sum.js', content: sum.replace('a + b', 'Number(a) + Number(b)') } },
  { write: { path: 'src/old.py', content: 'def one():\n    return "1"\n' } },
  { write: { path: 'a.txt', content: 'one\ntwo\n' } },
  { answer: 'Counted.', title: 'Count numbers' },
]
const run = await play(script, { repo_id: repoId })
await service.untilEnded(run.id)

test('changes have syntax colors, one column or two, a list of files, and marks of what was viewed', async () => {
  const page = await open(`${at}/${run.id}?tab=changes`, { viewport: { width: 1600, height: 900 } })
  const file = page.getByRole('region', { name: 'src/sum.js' })
  await file.locator('.diff .hl-k', { hasText: 'export' }).waitFor()
  await file.locator('.diff .hl-c', { hasText: '// both' }).first().waitFor()
  assert.equal(await file.locator('tr.add mark').textContent(), 'Number(a) + Number(b)')
  await page.getByRole('region', { name: 'src/old.py' }).locator('.hl-k', { hasText: 'def' }).waitFor()
  await page.getByRole('button', { name: 'Split' }).click()
  assert.equal(
    await file.locator('.diff.split tr:has(td.del) td.add.tx').textContent(),
    '  return Number(a) + Number(b) // both',
  )
  const tree = page.getByRole('navigation', { name: 'Changed files' })
  await tree.getByText('src/', { exact: true }).waitFor()
  await tree.getByRole('button', { name: /^old\.py/ }).click()
  await page.locator('.file-fold:focus', { hasText: 'old.py' }).waitFor()
  await page.getByText('0 of 3 viewed').waitFor()
  await file.getByLabel('Viewed').check()
  await page.getByText('1 of 3 viewed').waitFor()
  await file.locator('.diff').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('1 of 3 viewed').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Split' }).getAttribute('aria-pressed'), 'true')
  // On a phone the list of files gives its place to the change, and the page is not wider than the screen.
  await page.setViewportSize({ width: 390, height: 800 })
  assert.equal(await tree.isVisible(), false)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
})

test('a line of a pull request gets a comment with a suggestion', async () => {
  const page = await open(`/organizations/${service.organizationId}/repos/${repoId}/pulls/1?tab=files`)
  await page.getByRole('button', { name: 'Split' }).waitFor()
  await page.getByRole('region', { name: 'a.txt' }).getByRole('button', { name: 'Comment on line 2' }).click()
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  const words = page.getByRole('textbox', { name: 'Comment on line 2' })
  assert.equal(await words.inputValue(), '```suggestion\ntwo\n```')
  await words.fill('```suggestion\n2\n```')
  await page.keyboard.press('Control+Enter')
  await page.locator('.suggestion', { hasText: 'Suggested change' }).locator('pre', { hasText: '2' }).waitFor()
})

test('each line has a draft of its own, which is there again after a reload', async () => {
  const page = await open(`/organizations/${service.organizationId}/repos/${repoId}/pulls/1?tab=files`)
  const file = (name: string) => page.getByRole('region', { name })
  const comment = async (name: string, line: string) => {
    await file(name)
      .getByRole('button', { name: `Comment on ${line}`, exact: true })
      .click()
    return file(name).getByRole('textbox')
  }
  await (await comment('a.txt', 'line 2')).fill('Why two?')
  const other = await comment('src/sum.js', 'line 2')
  assert.equal(await other.inputValue(), '')
  await other.fill('Why a number?')
  const removed = await comment('src/sum.js', 'removed line 2')
  assert.equal(await removed.inputValue(), '')
  await removed.press('Escape')
  await page.locator('button[aria-label="Comment on removed line 2"]:focus').waitFor()
  await page.reload()
  assert.equal(await (await comment('a.txt', 'line 2')).inputValue(), 'Why two?')
  assert.equal(await (await comment('src/sum.js', 'line 2')).inputValue(), 'Why a number?')
})

test('Enter saves the title of a pull request', async () => {
  const page = await open(`/organizations/${service.organizationId}/repos/${repoId}/pulls/1`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Count numbers only')
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { name: 'Count numbers only' }).waitFor()
})

test('a merge by somebody whose session has ended leads to the sign-in page', async () => {
  const page = await open(`/organizations/${service.organizationId}/repos/${repoId}/pulls/1`)
  await page.getByRole('button', { name: 'Merge' }).click()
  // Only the merge itself learns that the session has ended.
  await page.route('**/v1/**', (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Confirm merge' }).click()
  await page.waitForURL(/\/sign-in\?next=/)
})

test('lines around a change of a pull request are shown on demand, in one column or two', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => `const n${n + 1} = ${n + 1}`)
  const text = (changed: Record<number, string>) => lines.map((line, n) => `${changed[n + 1] ?? line}\n`).join('')
  const longId = await makeRepo('long', { 'long.js': text({}) })
  const change = { write: { path: 'long.js', content: text({ 30: 'const thirty = 30', 90: 'const ninety = 90' }) } }
  const { id } = await play([change, { answer: 'Named.', title: 'Name numbers' }], { repo_id: longId })
  await service.untilEnded(id)
  const page = await open(`/organizations/${service.organizationId}/repos/${longId}/pulls/1?tab=files`)
  const file = page.getByRole('region', { name: 'long.js' })
  const press = (name: string) => file.getByRole('button', { name, exact: true }).click()
  const line = (n: number) => file.locator('tr', { hasText: new RegExp(`const n${n} = ${n}$`) })
  await press('Show 20 lines up to line 26')
  await line(7).locator('.hl-k', { hasText: 'const' }).waitFor()
  assert.equal(await line(6).count(), 0)
  // Their numbers stand on both sides, and a comment can be on them as on the others.
  assert.deepEqual(await line(7).locator('.ln').allTextContents(), ['7', '7'])
  assert.equal(await line(7).getByRole('button', { name: 'Comment on line 7', exact: true }).count(), 1)
  assert.equal(await line(29).getByRole('button', { name: 'Comment on line 29' }).count(), 1)
  await file.getByRole('button', { name: 'Show all 6 lines from line 1 to 6', exact: true }).press('Enter')
  await line(1).waitFor()
  await page.locator('.diff:focus').waitFor()
  await page.getByRole('button', { name: 'Split' }).click()
  await press('Show 20 lines from line 34')
  await file.locator('.diff.split tr', { hasText: 'const n53 = 53' }).waitFor()
  await press('Show all 33 lines from line 54 to 86')
  await file.locator('.diff.split tr', { hasText: 'const n86 = 86' }).waitFor()
  // How long the file is was told with the first lines of it.
  await press('Show all 27 lines from line 94 to 120')
  await file.locator('tr', { hasText: 'const n120 = 120' }).waitFor()
  await file.locator('tr.hunk').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Unified' }).click()
  await file.locator('tr', { hasText: 'const n120 = 120' }).waitFor()
  const numbers = await file.locator('tr:not(.del) td.ln:nth-child(2)').allTextContents()
  assert.deepEqual(
    numbers,
    Array.from(lines, (_, n) => String(n + 1)),
  )
})

test("the repair engine's edits show what they changed", async () => {
  const files = {
    'package.json': '{ "name": "adder", "type": "module", "scripts": { "test": "node --test" } }\n',
    'add.js': 'export function add(a, b) {\n  return a - b\n}\n',
    'add.test.js':
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add } from './add.js'\n" +
      "test('adds', () => assert.equal(add(2, 3), 5))\ntest('adds nothing', () => assert.equal(add(4, 0), 4))\n",
  }
  const { id } = await play([], {
    agent_type: 'repair',
    prompt: 'Fix the failing test',
    repo_id: await makeRepo('adder', files),
    metadata: null,
  })
  const ended = await service.untilEnded(id)
  assert.equal(ended.status, 'completed', service.said())
  const page = await open(`${at}/${id}`)
  const edit = page
    .locator('.tool', { hasText: 'add.js' })
    .filter({ has: page.locator('.stat') })
    .last()
  await edit.locator('.stat', { hasText: '+1' }).waitFor()
  await edit.locator('tr.del', { hasText: 'a - b' }).waitFor()
  await edit.locator('tr.add', { hasText: 'a + b' }).waitFor()
})
