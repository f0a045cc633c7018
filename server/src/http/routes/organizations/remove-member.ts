import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { removeMember } from '#domain/accounts/members/remove-member.ts'
import { may } from '#domain/accounts/users/roles.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeMemberRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/members/:user_id`,
  operationId: 'removeMember',
  tag: 'Organizations',
  summary: 'Remove a member, or leave',
  description:
    'Their tokens for this organization are revoked immediately. What they created is kept. Everyone can remove themselves; removing others takes an ADMIN.',
  policy: 'standard',
  access: 'manage_profile',
  isAudited: true,
  params: Type.Object({ org_id: Id, user_id: Id }),
  success: { status: 204, description: 'The member was removed.' },
  errors: ['user_not_found', 'last_admin'],
  handle: async ({ app, db, params, caller }) => {
    if (params.user_id !== caller.userId && !may(caller, 'manage_members'))
      throw new AppError('forbidden', { message: 'Only an ADMIN, with a token of that scope, can remove others.' })
    await removeMember(db, app.tokenKeys, { organizationId: params.org_id, userId: params.user_id })
  },
})
