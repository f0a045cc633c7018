import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createClient } from '@runwright/sdk'
import type { PlayRuns } from './play-runs.ts'
import { until } from './until.ts'

const file = `# What every run of this repository starts from.
checks:
  test: npm test
  types: npx tsc --noEmit
egress:
  presets: [npm]
  allow: [rates.fernhill.example]
`

/** A repository with something in each section of its settings; its number. */
export async function configureRepo({ url, token, dataDir, root }: PlayRuns): Promise<number> {
  const client = createClient({ baseUrl: url, token })
  const source = path.join(dataDir, 'examples/receipts')
  cpSync(path.join(root, 'examples/receipts'), source, { recursive: true })
  writeFileSync(path.join(source, '.runwright.yml'), file)
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', source, '-c', 'user.name=Ada', '-c', 'user.email=ada@fernhill.example', ...words])
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'Receipts')
  const { id } = await client.repositories.createRepo({ org_id: 1, name: 'receipts', import_from: source })
  await client.repositories.generateSetupCommands({ org_id: 1, repo_id: id })
  await until(async () => (await client.repositories.getRepo({ org_id: 1, repo_id: id })).setup_status !== 'generating')
  await client.repositories.acceptSetupProposal({ org_id: 1, repo_id: id, n: 1 })
  await client.repositories.updateRepo({
    org_id: 1,
    repo_id: id,
    description: 'Receipts of the shop, one for each sale',
    review_pulls: 'opened',
    watched_branches: ['main'],
  })
  await client.repositories.saveCheckSettings({
    org_id: 1,
    repo_id: id,
    check_retry_count: 3,
    check_retry_counts: { lint: 1 },
    custom_prompts: { lint: 'Run the formatter first.' },
  })
  await client.rules.saveRules({
    org_id: 1,
    rules: '- Money is counted in whole cents, never in floats.\n- Every fix comes with a test that fails without it.',
  })
  await client.secrets.saveSecret({ org_id: 1, name: 'NPM_TOKEN', value: 'not-a-real-token' })
  await client.secrets.saveRepoSecret({ org_id: 1, name: 'RATES_KEY', value: 'not-a-real-key', repo_id: id })
  await client.egress.saveRepoEgress({ org_id: 1, repo_id: id, allow: ['rates.fernhill.example'], presets: ['npm'] })
  const run = await client.runs.createRun({
    org_id: 1,
    prompt: 'Show the exchange rate on each receipt',
    title: 'Show the exchange rate on each receipt',
    repo_id: id,
    agent_type: 'scripted',
    metadata: {
      script: [
        { shell: 'curl -sS -m 5 https://fonts.example/receipt.css || true' },
        { answer: 'The rate needs a font that the sandbox may not load.' },
      ],
    },
  })
  await until(async () => (await client.runs.getRun({ org_id: 1, agent_run_id: run.id })).status === 'completed')
  return id
}
