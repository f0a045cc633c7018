import { createMcpServer } from '#domain/repos/mcp-servers/create-mcp-server.ts'
import { requireOnePlace } from '#http/input/require-one-place.ts'
import { presentMcpServer } from '#http/present/present-mcp-server.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { NewMcpServer } from '#http/schemas/mcp-server.ts'

export const createMcpServerRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/mcp-servers`,
  operationId: 'createMcpServer',
  tag: 'MCP servers',
  summary: 'Add an MCP server',
  description: 'Turns of the built-in agent that start after that can use its tools.',
  policy: 'standard',
  access: 'manage_mcp_servers',
  params: OrganizationParams,
  body: NewMcpServer,
  success: { status: 201, description: 'The MCP server.', component: 'McpServer' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ db, params, body }) => {
    const { name, url = null, headers = {}, command = null, env = {}, enabled = true } = body
    requireOnePlace({ url, command })
    const place = { organizationId: params.org_id, repoId: body.repo_id ?? null }
    return presentMcpServer(await createMcpServer(db, { ...place, name, url, headers, command, env, enabled }))
  },
})
