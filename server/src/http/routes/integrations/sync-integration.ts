import { syncNow } from '#domain/hosts/integrations/sync-now.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { IntegrationParams } from '#http/schemas/integration.ts'

export const syncIntegrationRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/integrations/:integration_id/sync`,
  operationId: 'syncIntegration',
  tag: 'Organizations',
  summary: 'Sync an integration now',
  description:
    'A worker checks the connection, lists its repositories again, and looks in each for events whose webhook did not arrive. This happens by itself from time to time. What was synced within the last 10 seconds is synced again after them.',
  policy: 'standard',
  access: 'manage_integrations',
  params: IntegrationParams,
  success: { status: 204, description: 'It is going to be synced.' },
  errors: ['integration_not_found'],
  handle: ({ db, params }) => syncNow(db, { organizationId: params.org_id, integrationId: params.integration_id }),
})
