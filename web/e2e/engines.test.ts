import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const npm = path.resolve(import.meta.dirname, '../../server/test/programs/npm')
const agents = path.join(mkdtempSync(path.join(os.tmpdir(), 'agents-')), 'agents.json')
after(() => rmSync(path.dirname(agents), { recursive: true }))
writeFileSync(agents, JSON.stringify([{ name: 'tester', provider: 'openai', command: ['tester'] }]))
const { service, open, faults } = await openUi({
  ...process.env,
  PATH: `${npm}:${process.env.PATH}`,
  RUNWRIGHT_AGENTS: agents,
})
after(() => assert.deepEqual(faults, []))
const at = `/organizations/${service.organizationId}/engines`

test('an admin has an engine installed, sees why another cannot be, and members see both', async () => {
  const page = await open(at)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await row('claude_code').getByText(': not installed').waitFor()
  await row('claude_code').getByRole('button', { name: 'Install' }).click()
  await row('claude_code').getByRole('button', { name: 'Installing …' }).waitFor()
  await row('claude_code').getByText(': @agentclientprotocol/claude-agent-acp ').waitFor({ timeout: 60_000 })
  await row('claude_code').getByRole('button', { name: 'Install again' }).waitFor()
  await row('codex').getByRole('button', { name: 'Install' }).click()
  await row('codex').getByText('there may be none for this machine').waitFor({ timeout: 60_000 })
  await row('acp:tester').getByText("tester needs a model of OpenAI's API").waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  assert.equal(isWide, false)

  const api = `/v1/organizations/${service.organizationId}`
  const member = await service.call<{ id: number }>('POST', `${api}/members`, { full_name: 'Femi' })
  const { token } = await service.call<{ token: string }>('POST', `${api}/tokens`, { name: 'femi', user_id: member.id })
  const theirs = await open(at, { token })
  await theirs.getByText(': @agentclientprotocol/claude-agent-acp ').waitFor()
  assert.equal(await theirs.getByRole('button', { name: 'Install' }).count(), 0)
})
