import { rows, type Db } from '#db/pool.ts'

/** Something outside that an organization has given access to. `provider` is its name as people know it. */
export type Connection = { kind: 'integration' | 'mcp_server' | 'model_provider'; id: number; provider: string }

/** The code hosts that are switched on, MCP servers that are enabled, and model providers, by name. */
export async function listConnections(db: Db, { organizationId }: { organizationId: number }): Promise<Connection[]> {
  return rows<Connection>(
    db,
    `select 'integration' as kind, id, kind as provider from integrations where organization_id = $1 and active
     union all select 'mcp_server', id, name from mcp_servers where organization_id = $1 and enabled
     union all select 'model_provider', id, name from model_providers where organization_id = $1 and removed_at is null
     order by provider, kind, id`,
    [organizationId],
  )
}
