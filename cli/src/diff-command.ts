import type { Command } from 'commander'
import { visible } from './print.ts'
import { readId, type Settings } from './settings.ts'

export function addDiffCommand(program: Command, settings: () => Settings): void {
  program
    .command('diff')
    .description('print the diff of a run')
    .argument('<run>', 'the run ID')
    .action(async (text: string) => {
      const { client, organizationId } = settings()
      const diff = await client.runs.getRunDiff({
        org_id: await organizationId(),
        agent_run_id: readId(text, 'The run'),
      })
      // To a file or another program it goes as it is, so that it can be applied.
      process.stdout.write(process.stdout.isTTY ? visible(diff) : diff)
    })
}
