import type { McpServer } from '#domain/repos/mcp-servers/mcp-server.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentMcpServer(server: McpServer): Components['McpServer'] {
  return {
    id: server.id,
    repo_id: server.repoId,
    name: server.name,
    url: server.url,
    headers: server.headers,
    command: server.command,
    env: server.env,
    enabled: server.enabled,
    created_at: server.createdAt.toISOString(),
    updated_at: server.updatedAt.toISOString(),
  }
}
