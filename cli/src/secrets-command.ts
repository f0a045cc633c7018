import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { printJson, printLine, quiet } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'

type Where = { repo?: string }

export function addSecretsCommand(program: Command, settings: () => Settings): void {
  const secrets = program.command('secrets').description('manage secrets for runs')
  const add = (usage: string, description: string) =>
    secrets
      .command(usage)
      .description(description)
      .option('--repo <id>', "use the secrets of this repository instead of the organization's")
  add('set <name>', 'set a secret to the value from standard input, without its final line break').action(
    async (name: string, where: Where) => save(settings(), name, repoOf(where)),
  )
  add('list', 'list secret names; values are never shown')
    .option('--json', 'print JSON, one secret per line')
    .action(async ({ json, ...where }: Where & { json?: boolean }) => list(settings(), repoOf(where), json))
  add('delete <name>', 'remove a secret').action(async (name: string, where: Where) => {
    const { client, organizationId } = settings()
    await client.secrets.remove(await organizationId(), name, repoOf(where))
    printLine(`Removed ${name}.`)
  })
}

/** On the command line every user of the machine would see the value, and the shell would remember it. */
async function save({ client, organizationId }: Settings, name: string, where: { repo_id?: number }): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError(`Give the value on standard input: runwright secrets set ${name} < file`)
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  await client.secrets.save(await organizationId(), name, { value, ...where })
  printLine(`Saved ${name}.`)
}

async function list(
  { client, organizationId }: Settings,
  where: { repo_id?: number },
  json: boolean | undefined,
): Promise<void> {
  const { items } = await client.secrets.list(await organizationId(), where)
  for (const secret of items) {
    if (json) printJson(secret)
    else printLine(`${secret.name}  ${quiet(secret.updated_at)}`)
  }
}

function repoOf({ repo }: Where): { repo_id?: number } {
  return repo === undefined ? {} : { repo_id: readId(repo, 'The repository') }
}
