import { Type } from 'typebox'
import { listConnections, type Connection } from '#domain/hosts/integrations/list-connections.ts'
import { callRoute, type CallRoute } from '#http/pipeline/call-route.ts'
import { enterOrganization } from '#http/pipeline/enter-organization.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { removeIntegrationRoute } from '#http/routes/integrations/remove-integration.ts'
import { updateMcpServerRoute } from '#http/routes/mcp-servers/update-mcp-server.ts'
import { removeModelProviderRoute } from '#http/routes/model-providers/remove-model-provider.ts'
import { Id, Text } from '#http/schemas/fields.ts'

export const disconnectProviderRoute = defineRoute({
  method: 'POST',
  path: '/v1/oauth/tokens/revoke',
  operationId: 'disconnectProvider',
  tag: 'Organizations',
  summary: 'Disconnect a provider from an organization',
  description:
    'Disconnects all that has this name in `GET /v1/oauth/tokens/status`: code hosts and model providers are removed with their credentials, MCP servers are disabled. Requires the right to do each of that.',
  policy: 'standard',
  access: 'manage_integrations',
  query: Type.Object({ org_id: Id, provider: Text(200) }),
  success: { status: 200, description: 'What was disconnected.', component: 'Disconnected' },
  errors: ['forbidden'],
  handle: async (call) => {
    const { org_id: organizationId, provider } = call.query
    const db = await enterOrganization(call, { organizationId, permission: 'manage_integrations' })
    const connections = (await listConnections(db, { organizationId })).filter((one) => one.provider === provider)
    for (const connection of connections) await callRoute(call, endOf(organizationId, connection))
    const disconnected = connections.length
    const message = disconnected ? `${provider} is disconnected.` : `Nothing that is called ${provider} is connected.`
    return { provider, disconnected, message }
  },
})

function endOf(org_id: number, { kind, id }: Connection): CallRoute {
  if (kind === 'integration') return { route: removeIntegrationRoute, params: { org_id, integration_id: id } }
  if (kind === 'model_provider') return { route: removeModelProviderRoute, params: { org_id, model_provider_id: id } }
  return { route: updateMcpServerRoute, params: { org_id, mcp_server_id: id }, body: { enabled: false } }
}
