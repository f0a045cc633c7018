import { removeView } from '#domain/accounts/views/remove-view.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { ViewParams } from '#http/schemas/inbox.ts'

export const removeViewRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/views/:view_id`,
  operationId: 'removeView',
  tag: 'Inbox',
  summary: 'Delete a saved view',
  policy: 'standard',
  access: 'manage_profile',
  params: ViewParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['view_not_found'],
  handle: ({ db, params, caller }) =>
    removeView(db, { organizationId: params.org_id, userId: caller.userId, viewId: params.view_id }),
})
