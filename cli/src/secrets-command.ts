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
    const ids = { org_id: await organizationId(), name }
    const { repo_id } = repoOf(where)
    if (repo_id === undefined) await client.secrets.removeSecret(ids)
    else await client.secrets.removeRepoSecret({ ...ids, repo_id })
    printLine(`Removed ${name}.`)
  })
}

/** On the command line every user of the machine would see the value, and the shell would remember it. */
async function save(
  { client, organizationId }: Settings,
  name: string,
  { repo_id }: { repo_id?: number },
): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError(`Give the value on standard input: runwright secrets set ${name} < file`)
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  const secret = { org_id: await organizationId(), name, value }
  if (repo_id === undefined) await client.secrets.saveSecret(secret)
  else await client.secrets.saveRepoSecret({ ...secret, repo_id })
  printLine(`Saved ${name}.`)
}

async function list(
  { client, organizationId }: Settings,
  { repo_id }: { repo_id?: number },
  json: boolean | undefined,
): Promise<void> {
  const org_id = await organizationId()
  const { items } =
    repo_id === undefined
      ? await client.secrets.listSecrets({ org_id })
      : await client.secrets.listRepoSecrets({ org_id, repo_id })
  for (const secret of items) {
    if (json) printJson(secret)
    else printLine(`${secret.name}  ${quiet(secret.updated_at)}`)
  }
}

function repoOf({ repo }: Where): { repo_id?: number } {
  return repo === undefined ? {} : { repo_id: readId(repo, 'The repository') }
}
