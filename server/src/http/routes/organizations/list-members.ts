import { listUsers } from '#domain/accounts/users/list-users.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listMembersRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/members`,
  operationId: 'listMembers',
  tag: 'Organizations',
  summary: 'List members',
  description: 'Same as the users of the organization.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of members.', component: 'UserPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listUsers(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map(presentUser), total }, query)
  },
})
