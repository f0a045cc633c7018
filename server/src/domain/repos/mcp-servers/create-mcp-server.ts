import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { requireRepo } from '#domain/repos/secrets/require-repo.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

const MCP_SERVERS_MAX = 50

export type NewMcpServer = Omit<McpServer, 'id' | 'createdAt' | 'updatedAt'> & { organizationId: number }

/** Throws `repo_not_found`, `conflict` (the name is taken, or there are too many). */
export async function createMcpServer(db: Db, server: NewMcpServer): Promise<McpServer> {
  const { organizationId, repoId, name, url, headers, command, env, enabled } = server
  await requireRepo(db, { organizationId, repoId })
  return inTransaction(db, async (tx) => {
    const { count } = await one<{ count: number }>(
      tx,
      'select (select count(*) from mcp_servers where organization_id = o.id) as count from organizations o where o.id = $1 for update of o',
      [organizationId],
    )
    if (count >= MCP_SERVERS_MAX)
      throw new AppError('conflict', {
        message: `An organization can have at most ${MCP_SERVERS_MAX} MCP servers.`,
      })
    const made = await maybeOne<McpServer>(
      tx,
      `insert into mcp_servers (organization_id, repo_id, name, url, headers, command, env, enabled) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict do nothing returning ${mcpServerColumns}`,
      [
        organizationId,
        repoId,
        name,
        url,
        JSON.stringify(headers),
        command && JSON.stringify(command),
        JSON.stringify(env),
        enabled,
      ],
    )
    if (!made) throw new AppError('conflict', { message: `There is an MCP server ${name} already.` })
    return made
  })
}
