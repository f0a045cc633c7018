import { listIntegrations } from '#domain/hosts/integrations/list-integrations.ts'
import { builtInIntegration, presentIntegration } from '#http/present/present-integration.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const listIntegrationsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/integrations`,
  operationId: 'listIntegrations',
  tag: 'Organizations',
  summary: 'List integrations',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The integrations.', component: 'Integrations' },
  handle: async ({ app, db, params }) => {
    const { organizationId, organizationName, integrations } = await listIntegrations(db, {
      organizationId: params.org_id,
    })
    return {
      organization_id: organizationId,
      organization_name: organizationName,
      integrations: [builtInIntegration, ...integrations.map((one) => presentIntegration(one, app.publicUrl))],
      total_active_integrations: 1 + integrations.filter(({ active }) => active).length,
    }
  },
})
