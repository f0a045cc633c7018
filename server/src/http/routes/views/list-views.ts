import { listViews } from '#domain/accounts/views/list-views.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listViewsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/views`,
  operationId: 'listViews',
  tag: 'Inbox',
  summary: 'List your saved views of the run list',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of views.', component: 'ViewPage' },
  handle: async ({ db, params, query, caller }) =>
    pageOf(await listViews(db, { organizationId: params.org_id, userId: caller.userId, ...query }), query),
})
