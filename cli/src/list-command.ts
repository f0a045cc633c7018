import type { Command } from 'commander'
import type { AgentRun } from '@runwright/sdk'
import { printJson, printLine, quiet, statusWord, visible } from './print.ts'
import type { Settings } from './settings.ts'

type Options = { status?: AgentRun['status'][]; limit: string; json?: boolean }

export function addListCommand(program: Command, settings: () => Settings): void {
  program
    .command('list')
    .description('list runs, newest first')
    .option('--status <status...>', 'only runs with one of these statuses')
    .option('--limit <number>', 'maximum number of runs', '20')
    .option('--json', 'print JSON, one run per line')
    .action(async (options: Options) => list(settings(), options))
}

async function list({ client, organizationId }: Settings, { status, limit, json }: Options): Promise<void> {
  const page = await client.runs.listRuns({
    org_id: await organizationId(),
    limit: Number(limit),
    ...(status ? { status } : {}),
  })
  for (const run of page.items) {
    if (json) printJson(run)
    else
      printLine(
        `${String(run.id).padStart(6)}  ${statusWord(run.status)}  ${visible(run.title ?? '')}  ${quiet(run.created_at)}`,
      )
  }
  if (!json && page.total > page.items.length) printLine(quiet(`and ${page.total - page.items.length} more`))
}
