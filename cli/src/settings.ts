import { createClient, type Client } from '@runwright/sdk'

export type Environment = Record<string, string | undefined>

/** Where the commands go: a service, and one organization there. */
export type Settings = { client: Client; organizationId: () => Promise<number> }

/** What the shell has set. */
export const environment = (): Environment => process.env

/** A mistake in what was typed; its message is shown as is. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Reads `RUNWRIGHT_URL`, `RUNWRIGHT_TOKEN` and `RUNWRIGHT_ORGANIZATION`. Throws a `UsageError`. */
export function readSettings(env: Environment): Settings {
  const token = env.RUNWRIGHT_TOKEN?.trim()
  if (!token) throw new UsageError('Set RUNWRIGHT_TOKEN to a token of your organization.')
  const baseUrl = env.RUNWRIGHT_URL?.trim() || 'http://localhost:3900'
  // Who sits at a terminal wants to know soon.
  const client = createClient({ baseUrl, token, retryForMs: 2_000 })
  return { client, organizationId: () => findOrganization(client, env.RUNWRIGHT_ORGANIZATION?.trim()) }
}

/** The one that is named; else the only one that the token works in. */
async function findOrganization(client: Client, named: string | undefined): Promise<number> {
  if (named) return readId(named, 'RUNWRIGHT_ORGANIZATION')
  const { items, total } = await client.organizations.listOrganizations({ limit: 10 })
  const [first] = items
  if (!first) throw new UsageError('This token has no access to any organization.')
  if (total === 1) return first.id
  const list = items.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  throw new UsageError(
    `This token has access to several organizations. Set RUNWRIGHT_ORGANIZATION to one of them:\n${list}`,
  )
}

/** Throws a `UsageError` for what is no id. */
export function readId(text: string, what: string): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new UsageError(`${what} must be a number, not "${text}".`)
  return Number(text)
}
