import { Type } from 'typebox'
import { getUser } from '#domain/accounts/users/get-user.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const getUserRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/users/:user_id`,
  operationId: 'getUser',
  tag: 'Users',
  summary: 'Get a member of an organization',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, user_id: Id }),
  success: { status: 200, description: 'The user.', component: 'User' },
  errors: ['user_not_found'],
  handle: async ({ db, params }) => {
    return presentUser(await getUser(db, { organizationId: params.org_id, userId: params.user_id }))
  },
})
