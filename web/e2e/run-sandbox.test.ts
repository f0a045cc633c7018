import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, open, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))

test('a run shows what ran in its sandbox and what the network refused, and has its failure explained', async () => {
  const repoId = await makeRepo('ledger', { 'a.txt': 'one\n' })
  const script = [
    { shell: 'echo counting; exit 3' },
    { shell: 'curl -s -m 5 https://fonts.example/a.css || true' },
    { answer: 'Done.' },
  ]
  const run = await play(script, { repo_id: repoId })
  await service.untilEnded(run.id)
  const page = await open(`/runs/${service.organizationId}/${run.id}`)
  await page.getByRole('tab', { name: 'Sandbox' }).click()
  const commands = page.getByRole('region', { name: 'Commands' })
  const command = commands.locator('details', { hasText: 'echo counting' })
  await command.getByText('exit 3', { exact: true }).waitFor()
  await command.locator('summary').click()
  await command.getByText('counting', { exact: true }).waitFor()
  const network = page.getByRole('region', { name: 'Network' })
  const request = network.locator('li', { hasText: 'fonts.example:443' })
  await request.getByText('Refused').waitFor()
  await request.getByText('host not allowed').waitFor()
  await network.getByRole('link', { name: 'Allowed hosts' }).waitFor()
  await page.getByRole('button', { name: 'Explain failure' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(`/${run.id}`))
  await page
    .getByText(/echo counting/)
    .first()
    .waitFor()
})

test('a run without a sandbox says so', async () => {
  const run = await play([{ answer: 'Done.' }])
  await service.untilEnded(run.id)
  const page = await open(`/runs/${service.organizationId}/${run.id}?tab=sandbox`)
  await page.getByText('No sandbox yet').waitFor()
})
