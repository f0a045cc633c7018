import type { Command } from 'commander'
import { printLine } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addDeleteCommand(program: Command, settings: () => Settings): void {
  program
    .command('delete')
    .description('delete a run that has ended, with its log and files')
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const id = readId(text, 'The run')
      await client.runs.deleteRun({ org_id: await organizationId(), agent_run_id: id })
      printLine(`Run ${id}  deleted`)
    })
}
