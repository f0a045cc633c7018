import type { Command } from 'commander'
import { followRun } from './follow-run.ts'
import { entryLines, printJson, printLine } from './print.ts'
import { readId, type Settings } from './settings.ts'

type Options = { follow?: boolean; json?: boolean }

export function addLogCommand(program: Command, settings: () => Settings): void {
  program
    .command('log')
    .description("print a run's log")
    .argument('<run>', 'the run ID')
    .option('--follow', 'follow the log until the run has ended')
    .option('--json', 'print JSON, one entry per line')
    .action(async (run: string, options: Options) => print(settings(), readId(run, 'The run'), options))
}

async function print(settings: Settings, runId: number, { follow, json }: Options): Promise<void> {
  const organizationId = await settings.organizationId()
  if (follow) return followRun(settings, { organizationId, runId, json })
  for (let skip = 0; ; skip += 100) {
    const { logs } = await settings.client.logs.listLog({
      org_id: organizationId,
      agent_run_id: runId,
      skip,
      limit: 100,
    })
    for (const entry of logs) {
      if (json) printJson(entry)
      else printLine(entryLines(entry))
    }
    if (logs.length < 100) return
  }
}
