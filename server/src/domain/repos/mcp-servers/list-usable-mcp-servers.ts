import { rows, type Db } from '#db/pool.ts'
import { mcpServerColumns, type McpServer } from './mcp-server.ts'

type ListUsable = {
  organizationId: number
  repoId: number | null
  /** Somebody who is no member of the organization asks: what belongs to all of it is not theirs to use. */
  isFromOutside?: boolean
}

/** Those that a run in this repository may use, by name: a repository's stands in for its organization's of the same name. */
export async function listUsableMcpServers(
  db: Db,
  { organizationId, repoId, isFromOutside = false }: ListUsable,
): Promise<McpServer[]> {
  const servers = await rows<McpServer>(
    db,
    `select distinct on (name) ${mcpServerColumns} from mcp_servers
     where organization_id = $1 and (repo_id is null and not $3 or repo_id = $2) order by name, repo_id nulls last`,
    [organizationId, repoId, isFromOutside],
  )
  return servers.filter(({ enabled }) => enabled)
}
