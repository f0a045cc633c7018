import { Type } from 'typebox'
import { saveInboxSettings } from '#domain/hosts/inbox/save-inbox-settings.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { Muted } from '#http/schemas/inbox.ts'

export const saveInboxSettingsRoute = defineRoute({
  method: 'PUT',
  path: `${organizationPath}/inbox/settings`,
  operationId: 'saveInboxSettings',
  tag: 'Inbox',
  summary: 'Replace your inbox settings',
  description: 'They apply to you in this organization, on all devices.',
  policy: 'standard',
  access: 'manage_profile',
  params: OrganizationParams,
  body: Type.Object({ muted: Muted }),
  success: { status: 200, description: 'The settings.', component: 'InboxSettings' },
  handle: async ({ db, params, body: { muted }, caller }) => {
    await saveInboxSettings(db, { organizationId: params.org_id, userId: caller.userId, muted })
    return { muted: [...new Set(muted)] }
  },
})
