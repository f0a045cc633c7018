import { UsageError, type Settings } from './settings.ts'

/** A repository's id by its id or name. Throws a `UsageError`. */
export async function findRepo({ client }: Settings, organizationId: number, request: string): Promise<number> {
  if (/^[1-9][0-9]*$/.test(request)) return Number(request)
  for (let skip = 0; ; skip += 100) {
    const { items, total } = await client.repositories.listRepos({ org_id: organizationId, skip, limit: 100 })
    const found = items.find(({ name, full_name: fullName }) => [name, fullName].includes(request))
    if (found) return found.id
    if (skip + items.length >= total)
      throw new UsageError(`There is no repository "${request}". Run "runwright repos" to list repositories.`)
  }
}
