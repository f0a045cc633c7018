import { Type } from 'typebox'
import { markRead } from '#domain/hosts/inbox/mark-read.ts'
import { presentInboxItem } from '#http/present/present-inbox-item.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { NotificationParams } from '#http/schemas/inbox.ts'

export const markReadRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/inbox/:notification_id/read`,
  operationId: 'markRead',
  tag: 'Inbox',
  summary: 'Mark an inbox item as read',
  policy: 'standard',
  access: 'manage_profile',
  params: NotificationParams,
  body: Type.Object({
    and_older: Type.Optional(Type.Boolean({ default: false, description: 'Mark all older items as read too.' })),
  }),
  success: { status: 200, description: 'The item.', component: 'InboxItem' },
  errors: ['notification_not_found'],
  handle: async ({ db, params, body, caller }) => {
    const item = { organizationId: params.org_id, userId: caller.userId, notificationId: params.notification_id }
    return presentInboxItem(await markRead(db, { ...item, andOlder: body.and_older ?? false }))
  },
})
