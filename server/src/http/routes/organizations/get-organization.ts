import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { presentOrganization } from '#http/present/present-organization.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getOrganizationRoute = defineRoute({
  method: 'GET',
  path: organizationPath,
  operationId: 'getOrganization',
  tag: 'Organizations',
  summary: 'Get an organization',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The organization.', component: 'Organization' },
  handle: async ({ db, params }) => presentOrganization(await getOrganization(db, { organizationId: params.org_id })),
})
