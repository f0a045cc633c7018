import type { Command } from 'commander'
import { printLine, statusWord } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addContinueCommand(program: Command, settings: () => Settings): void {
  program
    .command('continue')
    .description('continue a paused run')
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const run = await client.runs.continueRun({
        org_id: await organizationId(),
        agent_run_id: readId(text, 'The run'),
      })
      printLine(`Run ${run.id}  ${statusWord(run.status)}${run.status_detail ? ` (${run.status_detail})` : ''}`)
    })
}
