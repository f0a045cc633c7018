import { Type } from 'typebox'
import { removeMember } from '#domain/accounts/members/remove-member.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeMemberRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/members/:user_id`,
  operationId: 'removeMember',
  tag: 'Organizations',
  summary: 'Remove a member',
  description: 'Their tokens for this organization are revoked immediately. What they created is kept.',
  policy: 'standard',
  access: 'manage_members',
  params: Type.Object({ org_id: Id, user_id: Id }),
  success: { status: 204, description: 'The member was removed.' },
  errors: ['user_not_found', 'last_admin'],
  handle: async ({ app, db, params }) => {
    await removeMember(db, app.tokenKeys, { organizationId: params.org_id, userId: params.user_id })
  },
})
