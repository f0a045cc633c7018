import type { Command } from 'commander'
import { printJson, printLine, statusWord, visible } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addGetCommand(program: Command, settings: () => Settings): void {
  program
    .command('get')
    .description('show a run')
    .argument('<run>', 'the run ID')
    .option('--json', 'print JSON')
    .action(async (run: string, options: { json?: boolean }) => show(settings(), readId(run, 'The run'), options))
}

async function show({ client, organizationId }: Settings, runId: number, { json }: { json?: boolean }): Promise<void> {
  const run = await client.runs.getRun({ org_id: await organizationId(), agent_run_id: runId })
  if (json) return printJson(run)
  printLine(`Run ${run.id}  ${statusWord(run.status)}${run.status_detail ? ` (${run.status_detail})` : ''}`)
  printLine(visible(run.title ?? ''))
  if (run.error) printLine(`${visible(run.error.message)} (${run.error.code})`)
  if (run.result) printLine(`\n${visible(run.result)}\n`)
  for (const pull of run.github_pull_requests) printLine(`Pull request #${pull.number} (${pull.state}): ${pull.url}`)
  printLine(run.web_url)
}
