import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { printJson, printLine, quiet } from './print.ts'
import { readId, UsageError, type Settings } from './settings.ts'

type Where = { repo?: string }

export function addSecretsCommand(program: Command, settings: () => Settings): void {
  const secrets = program.command('secrets').description('names and values that runs may be given')
  const add = (usage: string, description: string) =>
    secrets.command(usage).description(description).option('--repo <id>', "a repository's, not the organization's")
  add('set <name>', 'keep the value that stands on standard input; the last line end is left out').action(
    async (name: string, where: Where) => save(settings(), name, repoOf(where)),
  )
  add('list', 'list names; values never come out')
    .option('--json', 'print JSON, one secret a line')
    .action(async ({ json, ...where }: Where & { json?: boolean }) => list(settings(), repoOf(where), json))
  add('delete <name>', 'remove one').action(async (name: string, where: Where) => {
    const { client, organizationId } = settings()
    await client.secrets.remove(await organizationId(), name, repoOf(where))
    printLine(`${name} is removed.`)
  })
}

/** On the command line every user of the machine would see the value, and the shell would remember it. */
async function save({ client, organizationId }: Settings, name: string, where: { repo_id?: number }): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError(`Give the value on standard input: runwright secrets set ${name} < file`)
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  await client.secrets.save(await organizationId(), name, { value, ...where })
  printLine(`${name} is kept.`)
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
