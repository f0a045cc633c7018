import type { Command } from 'commander'
import { printJson, printLine, quiet } from './print.ts'
import type { Settings } from './settings.ts'

export function addReposCommand(program: Command, settings: () => Settings): void {
  program
    .command('repos')
    .description('list repositories')
    .option('--json', 'print JSON, one repository a line')
    .action(async ({ json }: { json?: boolean }) => list(settings(), json))
}

async function list({ client, organizationId }: Settings, json: boolean | undefined): Promise<void> {
  const id = await organizationId()
  for (let skip = 0; ; skip += 100) {
    const { items } = await client.repos.list(id, { skip, limit: 100 })
    for (const repo of items) {
      if (json) printJson(repo)
      else printLine(`${String(repo.id).padStart(6)}  ${repo.name}  ${quiet(repo.git_url)}`)
    }
    if (items.length < 100) return
  }
}
