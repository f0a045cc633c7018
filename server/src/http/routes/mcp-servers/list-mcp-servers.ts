import { Type } from 'typebox'
import { listMcpServers } from '#domain/repos/mcp-servers/list-mcp-servers.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentMcpServer } from '#http/present/present-mcp-server.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields } from '#http/schemas/fields.ts'

export const listMcpServersRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/mcp-servers`,
  operationId: 'listMcpServers',
  tag: 'MCP servers',
  summary: 'List MCP servers',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({ ...pageFields, repo_id: Type.Optional(Id) }),
  success: { status: 200, description: 'A page of MCP servers, by name.', component: 'McpServerPage' },
  handle: async ({ db, params, query }) => {
    const { skip, limit, repo_id: repoId } = query
    const { items, total } = await listMcpServers(db, { organizationId: params.org_id, repoId, skip, limit })
    return pageOf({ items: items.map(presentMcpServer), total }, query)
  },
})
