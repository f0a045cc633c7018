import { listUsers } from '#domain/accounts/users/list-users.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listUsersRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/users`,
  operationId: 'listUsers',
  tag: 'Users',
  summary: 'List the members of an organization',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of users.', component: 'UserPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listUsers(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map(presentUser), total }, query)
  },
})
