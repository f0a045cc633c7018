import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import type { McpServerIds } from './get-mcp-server.ts'

/** Throws `mcp_server_not_found`. */
export async function removeMcpServer(db: Db, { organizationId, mcpServerId }: McpServerIds): Promise<void> {
  const { rowCount } = await db.query('delete from mcp_servers where organization_id = $1 and id = $2', [
    organizationId,
    mcpServerId,
  ])
  if (!rowCount) throw new AppError('mcp_server_not_found')
}
