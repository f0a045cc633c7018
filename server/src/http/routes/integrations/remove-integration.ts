import { removeIntegration } from '#domain/hosts/integrations/remove-integration.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { IntegrationParams } from '#http/schemas/integration.ts'

export const removeIntegrationRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/integrations/:integration_id`,
  operationId: 'removeIntegration',
  tag: 'Organizations',
  summary: 'Disconnect a code host',
  description:
    'Its credentials are deleted immediately. Its repositories remain listed as not connected until they are removed or connected again.',
  policy: 'standard',
  access: 'manage_integrations',
  params: IntegrationParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['integration_not_found'],
  handle: ({ db, params }) =>
    removeIntegration(db, { organizationId: params.org_id, integrationId: params.integration_id }),
})
