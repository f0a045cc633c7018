import { Type } from 'typebox'
import { listConnections } from '#domain/hosts/integrations/list-connections.ts'
import { enterOrganization } from '#http/pipeline/enter-organization.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const listConnectedProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v1/oauth/tokens/status',
  operationId: 'listConnectedProviders',
  tag: 'Organizations',
  summary: 'List the names of what an organization is connected with',
  policy: 'standard',
  access: 'read',
  query: Type.Object({ org_id: Id }),
  success: { status: 200, description: 'The names, each once.', component: 'ConnectedProviders' },
  errors: ['forbidden'],
  handle: async (call) => {
    const organizationId = call.query.org_id
    const db = await enterOrganization(call, { organizationId, permission: 'read' })
    const connections = await listConnections(db, { organizationId })
    return [...new Set(connections.map(({ provider }) => provider))]
  },
})
