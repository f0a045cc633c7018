import { getRules } from '#domain/accounts/organizations/get-rules.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getRulesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/rules`,
  operationId: 'getRules',
  tag: 'Rules',
  summary: "Get the organization's rules for agents",
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The rules.', component: 'Rules' },
  handle: async ({ db, params }) => ({ rules: await getRules(db, { organizationId: params.org_id }) }),
})
