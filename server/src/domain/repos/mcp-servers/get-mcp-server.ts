import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

export type McpServerIds = { organizationId: number; mcpServerId: number }

/** Throws `mcp_server_not_found`. */
export async function getMcpServer(db: Db, { organizationId, mcpServerId }: McpServerIds): Promise<McpServer> {
  const server = await maybeOne<McpServer>(
    db,
    `select ${mcpServerColumns} from mcp_servers where organization_id = $1 and id = $2`,
    [organizationId, mcpServerId],
  )
  if (!server) throw new AppError('mcp_server_not_found')
  return server
}
