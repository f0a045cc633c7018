import { listOrganizations } from '#domain/accounts/organizations/list-organizations.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentOrganization } from '#http/present/present-organization.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listOrganizationsRoute = defineRoute({
  method: 'GET',
  path: '/v1/organizations',
  operationId: 'listOrganizations',
  tag: 'Organizations',
  summary: 'List the organizations that the token can access',
  policy: 'standard',
  access: 'token',
  query: PageQuery,
  success: { status: 200, description: 'A page of organizations.', component: 'OrganizationPage' },
  handle: async ({ db, query, caller }) => {
    const { userId, organizationId } = caller
    const { items, total } = await listOrganizations(db, { userId, organizationId, ...query })
    return pageOf({ items: items.map(presentOrganization), total }, query)
  },
})
