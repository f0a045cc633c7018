import { Type } from 'typebox'
import { saveView } from '#domain/accounts/views/save-view.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { newView } from '#http/schemas/inbox.ts'

export const saveViewRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/views`,
  operationId: 'saveView',
  tag: 'Inbox',
  summary: 'Save a view of the run list',
  description: 'Replaces your view of the same name.',
  policy: 'standard',
  access: 'manage_profile',
  params: OrganizationParams,
  body: Type.Object(newView),
  success: { status: 201, description: 'The view.', component: 'View' },
  errors: ['conflict'],
  handle: ({ db, params, body, caller }) =>
    saveView(db, { organizationId: params.org_id, userId: caller.userId, ...body }),
})
