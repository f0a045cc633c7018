import { Type } from 'typebox'
import { getMcpServer } from '#domain/repos/mcp-servers/get-mcp-server.ts'
import { updateMcpServer } from '#domain/repos/mcp-servers/update-mcp-server.ts'
import { requireOnePlace } from '#http/input/require-one-place.ts'
import { presentMcpServer } from '#http/present/present-mcp-server.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'
import { McpServerChange } from '#http/schemas/mcp-server.ts'

export const updateMcpServerRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/mcp-servers/:mcp_server_id`,
  operationId: 'updateMcpServer',
  tag: 'MCP servers',
  summary: 'Update an MCP server',
  description: 'Omitted fields are left unchanged. Turns that have begun keep the tools that they have.',
  policy: 'standard',
  access: 'manage_mcp_servers',
  params: Type.Object({ org_id: Id, mcp_server_id: Id }),
  body: McpServerChange,
  success: { status: 200, description: 'The MCP server.', component: 'McpServer' },
  errors: ['mcp_server_not_found', 'conflict'],
  handle: async ({ db, params, body }) => {
    const ids = { organizationId: params.org_id, mcpServerId: params.mcp_server_id }
    requireOnePlace({ ...(await getMcpServer(db, ids)), ...body })
    return presentMcpServer(await updateMcpServer(db, ids, body))
  },
})
