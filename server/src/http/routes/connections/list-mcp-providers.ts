import { listMemberMcpServers, type MemberMcpServer } from '#domain/repos/mcp-servers/list-member-mcp-servers.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import type { Components } from '#http/schemas/index.ts'

export const listMcpProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v1/mcp-providers',
  operationId: 'listMcpProviders',
  tag: 'MCP servers',
  summary: 'List MCP servers as providers',
  description: 'Of all organizations that the token can access. `GET …/mcp-servers` has more of each.',
  policy: 'standard',
  access: 'token',
  success: { status: 200, description: 'The enabled MCP servers.', component: 'McpProviders' },
  handle: async ({ db, caller }) => (await listMemberMcpServers(db, caller)).map(present),
})

const present = ({ id, name, url, organizationId, repoId }: MemberMcpServer): Components['McpProvider'] => ({
  id,
  name,
  issuer: url !== null && URL.canParse(url) ? new URL(url).origin : '',
  authorization_endpoint: '',
  token_endpoint: '',
  default_scopes: null,
  is_mcp: true,
  meta: { organization_id: organizationId, repo_id: repoId },
})
