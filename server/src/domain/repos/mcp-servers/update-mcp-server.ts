import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getMcpServer, type McpServerIds } from './get-mcp-server.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

/** Omitted fields stay as they are. A new `url` takes the place of a `command`, and the other way round. */
export type McpServerChanges = Partial<Pick<McpServer, 'name' | 'url' | 'headers' | 'command' | 'env' | 'enabled'>>

/** Throws `mcp_server_not_found`, `conflict` (the name is taken). */
export async function updateMcpServer(db: Db, ids: McpServerIds, changes: McpServerChanges): Promise<McpServer> {
  return inTransaction(db, async (tx) => {
    const before = await getMcpServer(tx, ids)
    const { name, url, headers, command, env, enabled } = { ...before, ...changes }
    const taken = await maybeOne(
      tx,
      'select 1 from mcp_servers where organization_id = $1 and id <> $2 and name = $3 and repo_id is not distinct from $4::bigint',
      [ids.organizationId, ids.mcpServerId, name, before.repoId],
    )
    if (taken) throw new AppError('conflict', { message: `There is an MCP server ${name} already.` })
    const updated = await maybeOne<McpServer>(
      tx,
      `update mcp_servers set name = $3, url = $4, headers = $5, command = $6, env = $7, enabled = $8, updated_at = now()
       where organization_id = $1 and id = $2 returning ${mcpServerColumns}`,
      [
        ids.organizationId,
        ids.mcpServerId,
        name,
        url,
        JSON.stringify(headers),
        command && JSON.stringify(command),
        JSON.stringify(env),
        enabled,
      ],
    )
    if (!updated) throw new AppError('mcp_server_not_found')
    return updated
  })
}
