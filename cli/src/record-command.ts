import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readId, UsageError, type Settings } from './settings.ts'

export function addRecordCommand(program: Command, settings: () => Settings): void {
  program
    .command('record')
    .description('download the record of a run: all that it did, to be replayed')
    .argument('<run>', 'the run ID')
    .option('--output <path>', 'where to save it (default: standard output)')
    .action(async (text: string, { output }: { output?: string }) => {
      const { client, organizationId } = settings()
      const runId = readId(text, 'The run')
      const bytes = await client.runs.getRunRecord({ org_id: await organizationId(), agent_run_id: runId })
      if (output === undefined) return void process.stdout.write(bytes)
      await writeFile(output, bytes, { flag: 'wx' }).catch((error: Error) => {
        throw new UsageError(`Could not write ${output}: ${error.message}`)
      })
    })
}
