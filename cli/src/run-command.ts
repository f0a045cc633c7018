import type { Command } from 'commander'
import { findRepo } from './find-repo.ts'
import { followRun } from './follow-run.ts'
import { printJson, printLine } from './print.ts'
import type { Settings } from './settings.ts'

type Options = {
  repo?: string
  agent?: string
  model?: string
  baseBranch?: string
  path?: string[]
  title?: string
  pullRequest: boolean
  follow?: boolean
  json?: boolean
}

export function addRunCommand(program: Command, settings: () => Settings): void {
  program
    .command('run')
    .description('start a run')
    .argument('<prompt>', 'what the agent should do')
    .option('--repo <id or name>', 'the repository to work in')
    .option('--agent <name>', 'the engine, such as repair')
    .option('--model <name>', 'the model')
    .option('--base-branch <name>', 'the branch to start from')
    .option('--path <folders...>', 'the folders that its work tree is limited to')
    .option('--title <text>', 'the title of the run')
    .option('--no-pull-request', 'push the work without opening a pull request')
    .option('--follow', 'follow the log until the run has ended')
    .option('--json', 'print JSON')
    .action(async (prompt: string, options: Options) => start(settings(), prompt, options))
}

async function start(settings: Settings, prompt: string, options: Options): Promise<void> {
  const organizationId = await settings.organizationId()
  const run = await settings.client.runs.createRun({
    org_id: organizationId,
    prompt,
    repo_id: options.repo === undefined ? null : await findRepo(settings, organizationId, options.repo),
    agent_type: options.agent ?? null,
    model: options.model ?? null,
    base_branch: options.baseBranch ?? null,
    paths: options.path ?? null,
    title: options.title ?? null,
    create_pull_request: options.pullRequest ? null : false,
  })
  if (!options.json) printLine(`Run ${run.id}: ${run.web_url}`)
  if (options.follow) return followRun(settings, { organizationId, runId: run.id, json: options.json })
  if (options.json) printJson(run)
}
