// The whole way, as a user goes it: starts the service, makes an organization with a user, a token and a repository with
// a failing test, has a run fix it through the public API, and shows what came of it. `--exit` ends there, with 0 only
// if the run completed and the repository's own tests pass on the pull request's branch.
import path from 'node:path'
import { styleText } from 'node:util'
import { createClient } from '@runwright/sdk'
import { readConfig } from '../server/src/base/config/config.ts'
import { testBranch } from './demo/test-branch.ts'
import { followRun } from './demo/follow-run.ts'
import { prepare } from './demo/prepare.ts'
import { showResult } from './demo/show-result.ts'
import { startService, type RunningService } from './demo/start-service.ts'

const prompt = 'Make the failing test pass'
const root = path.dirname(import.meta.dirname)
const exits = process.argv.includes('--exit')

async function main(): Promise<boolean> {
  // The demo has a folder of its own, so that it never meets the data of a real instance.
  const config = readConfig({ ...process.env, RUNWRIGHT_DATA_DIR: process.env.RUNWRIGHT_DATA_DIR }, { root })
  for (const note of config.notes) say(note)
  const dataDir = path.join(config.dataDir, 'demo')
  say('Starting Runwright: PostgreSQL, API, git host, worker …')
  const service = await startService({ root, dataDir, port: config.port })
  say(service.ready)
  try {
    const isFixed = await demonstrate(service, dataDir)
    if (exits) return isFixed
    say(`\nRunwright goes on serving at ${service.url}. Stop it with Ctrl-C.`)
    await service.ended
    return true
  } finally {
    await service.stop()
  }
}

async function demonstrate(service: RunningService, dataDir: string): Promise<boolean> {
  const { token, organizationId, repo } = await prepare({ service, dataDir })
  const client = createClient({ baseUrl: service.url, token })
  say(`\n${styleText('bold', `“${prompt}”`)} in ${repo.full_name}`)
  const run = await client.runs.createRun({ org_id: organizationId, prompt, repo_id: repo.id })
  await followRun(client, { organizationId, runId: run.id })
  const ended = await client.runs.getRun({ org_id: organizationId, agent_run_id: run.id })
  const diff = await client.runs.getRunDiff({ org_id: organizationId, agent_run_id: run.id })
  showResult({ run: ended, diff, url: service.url, token, organizationId, repoId: repo.id, prompt })
  if (ended.status !== 'completed' || !ended.branch) return false
  const passes = await testBranch({ gitUrl: repo.git_url, branch: ended.branch, token })
  say(
    passes
      ? styleText('green', "The repository's own tests pass on that branch.")
      : styleText('red', "The repository's own tests fail on that branch."),
  )
  return passes
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${styleText('red', (error as Error).message)}\n`)
  process.exitCode = 1
}
process.exit()
