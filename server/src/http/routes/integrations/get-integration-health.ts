import { getHealth } from '#domain/hosts/integrations/get-health.ts'
import { presentHealth } from '#http/present/present-health.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { IntegrationParams } from '#http/schemas/integration.ts'

export const getIntegrationHealthRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/integrations/:integration_id/health`,
  operationId: 'getIntegrationHealth',
  tag: 'Organizations',
  summary: 'Check the health of an integration',
  description:
    'What the last sync found, and what has happened since. Each check says how it stands, and where to fix it. Nothing is asked of the code host: to have it asked, sync the integration.',
  policy: 'standard',
  access: 'read',
  params: IntegrationParams,
  success: { status: 200, description: 'The health.', component: 'IntegrationHealth' },
  errors: ['integration_not_found'],
  handle: async ({ app, db, params }) => {
    const ids = { organizationId: params.org_id, integrationId: params.integration_id }
    return presentHealth(await getHealth(db, { ...ids, publicUrl: app.publicUrl }), app.publicUrl)
  },
})
