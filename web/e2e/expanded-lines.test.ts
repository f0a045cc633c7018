import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGitHubServer } from '@runwright/server/test/github-server.ts'
import { openUi } from './open-ui.ts'

const github = await startGitHubServer()
after(() => github[Symbol.asyncDispose]())
const { service, open, play, makeRepo, faults } = await openUi({ RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1' })
after(() =>
  assert.deepEqual(
    faults.filter((fault) => !fault.includes(github.url)),
    [],
  ),
)
const organization = `/organizations/${service.organizationId}`
const api = `/v1${organization}`
const lines = Array.from({ length: 120 }, (_, n) => `line ${n + 1}`)
const before = lines.map((line) => `${line}\n`).join('')
const change = { write: { path: 'long.txt', content: before.replace('line 60\n', 'line sixty\n') } }
const answer = { answer: 'Named.', title: 'Name a line' }
const files = (repoId: number, number: number) => `${organization}/repos/${repoId}/pulls/${number}?tab=files`

test('a line that a diff leaves out gets a comment, and is shown with it from then on', async () => {
  const repoId = await makeRepo('long', { 'long.txt': before })
  const { id } = await play([change, answer], { repo_id: repoId })
  await service.untilEnded(id)
  const page = await open(files(repoId, 1))
  await page.getByRole('button', { name: 'Show all 56 lines from line 1 to 56', exact: true }).click()
  await page.getByRole('button', { name: 'Comment on line 20', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment on line 20' }).fill('Is this one needed?')
  await page.keyboard.press('Control+Enter')
  await page.locator('.line-talk article', { hasText: 'Is this one needed?' }).waitFor()
  await page.reload()
  await page.locator('.line-talk article', { hasText: 'Is this one needed?' }).waitFor()
  // With three lines above and below it, and a way to see those between.
  const numbers = page.locator('.diff td.ln:nth-child(2)')
  await page.getByRole('button', { name: 'Show all 33 lines from line 24 to 56', exact: true }).waitFor()
  assert.deepEqual((await numbers.allTextContents()).slice(0, 8), ['17', '18', '19', '20', '21', '22', '23', '57'])
})

test('on GitHub, which takes no comment on such a line, the page says so', async () => {
  await github.addRepository({ owner: 'ada', name: 'long', files: { 'long.txt': before } })
  const { token } = github.addPerson('ada')
  const integration = await service.call<{ id: number }>('POST', `${api}/integrations`, {
    type: 'github',
    base_url: github.apiUrl,
    token,
  })
  const repo = await service.call<{ id: number }>('POST', `${api}/repos`, {
    integration_id: integration.id,
    full_name: 'ada/long',
  })
  const { id } = await play([change, answer], { repo_id: repo.id })
  await service.untilEnded(id)
  const page = await open(files(repo.id, 1))
  await page.getByRole('button', { name: 'Show 20 lines up to line 56', exact: true }).click()
  await page.getByRole('button', { name: 'Comment on line 50', exact: true }).click()
  await page.getByText('GitHub accepts comments only on changed lines').waitFor()
  assert.equal(await page.getByRole('textbox').count(), 0)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('GitHub accepts comments only on changed lines').waitFor({ state: 'detached' })
  await page.locator('button[aria-label="Comment on line 50"]:focus').waitFor()
  await page.getByRole('button', { name: 'Comment on line 57', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment on line 57' }).waitFor()
})

test('where a diff is too long and ends, the file can be read on', async () => {
  const repoId = await makeRepo('longer', { 'a.txt': 'one\n' })
  // What is shown of a diff is 8 MiB: a.txt takes all of it but some lines of b.txt.
  const write = [
    `awk 'BEGIN { for (n = 0; n < 16757; n++) long = long "x"; for (n = 0; n < 500; n++) print long }' > a.txt`,
    `awk 'BEGIN { for (n = 1; n <= 900; n++) printf "b %04d ............................\\n", n }' > b.txt`,
  ]
  const { id } = await play([{ shell: write.join('\n') }, answer], { repo_id: repoId })
  await service.untilEnded(id)
  const page = await open(files(repoId, 1))
  const file = page.getByRole('region', { name: 'b.txt' })
  await file.getByText('The diff is too long and ends here').waitFor()
  const added = await file.locator('tr.add').count()
  const next = `b ${String(added + 1).padStart(4, '0')} `
  assert.equal(await file.getByText(next).count(), 0)
  await file.getByRole('button', { name: `Show 20 lines from line ${added + 1}`, exact: true }).click()
  await file.getByText(next).waitFor()
  await file.getByRole('button', { name: `Show 20 lines from line ${added + 21}`, exact: true }).waitFor()
  // Nobody says of them that they were there before.
  const row = file.locator('tr', { hasText: next })
  assert.deepEqual(await row.locator('.ln').allTextContents(), ['', String(added + 1)])
})
