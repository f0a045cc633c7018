import type { Command } from 'commander'
import { printLine, statusWord } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addCancelCommand(program: Command, settings: () => Settings): void {
  program
    .command('cancel')
    .description('cancel a run')
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const run = await client.runs.cancelRun({ org_id: await organizationId(), agent_run_id: readId(text, 'The run') })
      printLine(`Run ${run.id}  ${statusWord(run.status)}${run.status_detail ? ` (${run.status_detail})` : ''}`)
    })
}
