import { one, rows, type Db } from '#db/pool.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

export type ListMcpServers = { organizationId: number; repoId?: number | undefined; skip: number; limit: number }

/** By name; of one repository, where it is named. */
export async function listMcpServers(
  db: Db,
  { organizationId, repoId, skip, limit }: ListMcpServers,
): Promise<{ items: McpServer[]; total: number }> {
  const which = 'organization_id = $1 and ($2::bigint is null or repo_id = $2)'
  const values = [organizationId, repoId ?? null]
  const { total } = await one<{ total: number }>(db, `select count(*) as total from mcp_servers where ${which}`, values)
  const items = await rows<McpServer>(
    db,
    `select ${mcpServerColumns} from mcp_servers where ${which} order by name, id limit $3 offset $4`,
    [...values, limit, skip],
  )
  return { items, total }
}
