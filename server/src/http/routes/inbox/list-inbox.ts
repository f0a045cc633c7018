import { listInbox } from '#domain/hosts/inbox/list-inbox.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentInboxItem } from '#http/present/present-inbox-item.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listInboxRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/inbox`,
  operationId: 'listInbox',
  tag: 'Inbox',
  summary: 'List what needs you, newest first',
  description:
    'Open questions and plans, failed runs, and pull requests that are ready to merge, of runs that you started; and pull requests that you are asked to review. An item disappears once it is answered, retried, merged, reviewed, closed, or archived.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of items.', component: 'InboxItemPage' },
  handle: async ({ db, params, query, caller }) => {
    const { items, total } = await listInbox(db, { organizationId: params.org_id, userId: caller.userId, ...query })
    return pageOf({ items: items.map(presentInboxItem), total }, query)
  },
})
