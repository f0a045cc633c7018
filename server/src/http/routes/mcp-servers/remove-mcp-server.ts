import { Type } from 'typebox'
import { removeMcpServer } from '#domain/repos/mcp-servers/remove-mcp-server.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeMcpServerRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/mcp-servers/:mcp_server_id`,
  operationId: 'removeMcpServer',
  tag: 'MCP servers',
  summary: 'Remove an MCP server',
  policy: 'standard',
  access: 'manage_mcp_servers',
  params: Type.Object({ org_id: Id, mcp_server_id: Id }),
  success: { status: 204, description: 'Removed.' },
  errors: ['mcp_server_not_found'],
  handle: async ({ db, params }) => {
    await removeMcpServer(db, { organizationId: params.org_id, mcpServerId: params.mcp_server_id })
  },
})
