import type { Command } from 'commander'
import { printLine, statusWord } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addPauseCommand(program: Command, settings: () => Settings): void {
  program
    .command('pause')
    .description('pause a run before its next step')
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const run = await client.runs.pauseRun({ org_id: await organizationId(), agent_run_id: readId(text, 'The run') })
      printLine(`Run ${run.id}  ${statusWord(run.status)}${run.status_detail ? ` (${run.status_detail})` : ''}`)
    })
}
