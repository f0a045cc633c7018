import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import { printJson, printLine, visible } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'

type Options = { output?: string; json?: boolean }

export function addArtifactsCommand(program: Command, settings: () => Settings): void {
  program
    .command('artifacts')
    .description('list the artifacts of a run, or download one')
    .argument('<run>', 'the run ID')
    .argument('[name]', 'the file to download')
    .option('--output <path>', 'where to save it (default: standard output)')
    .option('--json', 'print JSON')
    .action(async (run: string, name: string | undefined, options: Options) => {
      const runId = readId(run, 'The run')
      if (name === undefined) return list(settings(), { runId, ...options })
      return download(settings(), { runId, name, ...options })
    })
}

async function list({ client, organizationId }: Settings, { runId, json }: Options & { runId: number }): Promise<void> {
  const page = await client.artifacts.listArtifacts({ org_id: await organizationId(), agent_run_id: runId })
  if (json) return printJson(page)
  for (const { name, bytes } of page.items) printLine(`${String(bytes).padStart(10)}  ${visible(name)}`)
}

type Download = Options & { runId: number; name: string }

async function download({ client, organizationId }: Settings, { runId, name, output }: Download): Promise<void> {
  const bytes = await client.artifacts.getArtifact({ org_id: await organizationId(), agent_run_id: runId, name })
  if (output === undefined) {
    process.stdout.write(bytes)
    return
  }
  const file = createWriteStream(output, { flags: 'wx' })
  file.end(bytes)
  await finished(file).catch((error: Error) => {
    throw new UsageError(`Could not write ${output}: ${error.message}`)
  })
}
