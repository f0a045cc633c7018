import type { Command } from 'commander'
import { followRun } from './follow-run.ts'
import { printJson, printLine, statusWord } from './print.ts'
import { readId, type Settings } from './settings.ts'

type Options = { follow?: boolean; json?: boolean }

export function addResumeCommand(program: Command, settings: () => Settings): void {
  program
    .command('resume')
    .description('send a follow-up')
    .argument('<run>', 'the run ID')
    .argument('<prompt>', 'what the agent should do next')
    .option('--follow', 'follow the log from here until the run has ended')
    .option('--json', 'print JSON')
    .action(async (run: string, prompt: string, options: Options) =>
      resume(settings(), { runId: readId(run, 'The run'), prompt, ...options }),
    )
}

async function resume(
  settings: Settings,
  { runId, prompt, follow, json }: Options & { runId: number; prompt: string },
): Promise<void> {
  const organizationId = await settings.organizationId()
  const { total_logs: skip } = await settings.client.logs.listLog({
    org_id: organizationId,
    agent_run_id: runId,
    limit: 1,
  })
  const run = await settings.client.runs.resumeRun({ org_id: organizationId, agent_run_id: runId, prompt })
  if (follow) return followRun(settings, { organizationId, runId, skip, json })
  if (json) printJson(run)
  else printLine(`Run ${run.id}  ${statusWord(run.status)}  ${run.web_url}`)
}
