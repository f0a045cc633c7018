import { getInboxSettings } from '#domain/hosts/inbox/get-inbox-settings.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getInboxSettingsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/inbox/settings`,
  operationId: 'getInboxSettings',
  tag: 'Inbox',
  summary: 'Get your inbox settings',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'The settings.', component: 'InboxSettings' },
  handle: ({ db, params, caller }) => getInboxSettings(db, { organizationId: params.org_id, userId: caller.userId }),
})
