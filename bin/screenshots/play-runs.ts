import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createClient, type AgentRun, type Client } from '@runwright/sdk'
import { checks, scriptOf } from './checks.ts'
import { scripts, type Script } from './scripts.ts'
import { until as untilSo } from './until.ts'

export type PlayedRuns = Record<keyof typeof scripts, number>

export type PlayRuns = { url: string; token: string; dataDir: string; root: string }

/** An organization with a repository, and one run in each state. */
export async function playRuns({ url, token, dataDir, root }: PlayRuns): Promise<PlayedRuns> {
  const client = createClient({ baseUrl: url, token })
  await client.organizations.updateOrganization({ org_id: 1, name: 'Fernhill', limits: { max_running: 10 } })
  await client.users.updateMe({ full_name: 'Ada Okafor' })
  const source = path.join(dataDir, 'examples/ledger')
  cpSync(path.join(root, 'examples/receipts'), source, { recursive: true })
  mkdirSync(path.join(source, 'check'))
  for (const [name, check] of Object.entries(checks)) writeFileSync(path.join(source, 'check', name), scriptOf(check))
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', source, '-c', 'user.name=Ada', '-c', 'user.email=ada@fernhill.example', ...words])
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'Receipts')
  const repo = await client.repositories.createRepo({ org_id: 1, name: 'ledger', import_from: source })
  const played = {} as PlayedRuns
  for (const [name, { prompt, title, script, until, more }] of Object.entries<Script>(scripts)) {
    const run = await client.runs.createRun({
      org_id: 1,
      prompt,
      title,
      repo_id: repo.id,
      agent_type: 'scripted',
      metadata: { script },
      ...more,
    })
    played[name as keyof PlayedRuns] = run.id
    await untilRun(client, run.id, until)
  }
  return played
}

/** Resolves when it stands so. */
async function untilRun(client: Client, id: number, isSo: (run: AgentRun, entries: number) => boolean): Promise<void> {
  await untilSo(async () => {
    const { total_logs: entries } = await client.logs.listLog({ org_id: 1, agent_run_id: id, limit: 1 })
    return isSo(await client.runs.getRun({ org_id: 1, agent_run_id: id }), entries)
  })
}
