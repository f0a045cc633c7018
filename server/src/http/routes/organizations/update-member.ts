import { Type } from 'typebox'
import { roles } from '#domain/organizations/roles.ts'
import { updateMember } from '#domain/organizations/update-member.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id, Word } from '#http/schemas/fields.ts'

export const updateMemberRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/members/:user_id`,
  operationId: 'updateMember',
  tag: 'Organizations',
  summary: 'Change the role of a member',
  policy: 'standard',
  access: 'manage_members',
  params: Type.Object({ org_id: Id, user_id: Id }),
  body: Type.Object({ role: Word(roles) }),
  success: { status: 200, description: 'The member.', component: 'User' },
  errors: ['user_not_found', 'last_admin'],
  handle: async ({ db, params, body }) => {
    const { org_id: organizationId, user_id: userId } = params
    return presentUser(await updateMember(db, { organizationId, userId, role: body.role }))
  },
})
