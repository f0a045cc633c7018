import { rows, type Db } from '#db/pool.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

const listedMax = 1_000

/** `organizationId`: the only one that the token works in; null: all of its user's. */
export type ListMemberMcpServers = { userId: number; organizationId: number | null }
export type MemberMcpServer = McpServer & { organizationId: number }

/** The enabled ones of the organizations that somebody is a member of. */
export async function listMemberMcpServers(
  db: Db,
  { userId, organizationId }: ListMemberMcpServers,
): Promise<MemberMcpServer[]> {
  return rows<MemberMcpServer>(
    db,
    `select organization_id, ${mcpServerColumns} from mcp_servers
     where enabled and organization_id in (
       select organization_id from memberships where user_id = $1 and ($2::bigint is null or organization_id = $2))
     order by organization_id, name, id limit $3`,
    [userId, organizationId, listedMax],
  )
}
