import { getMe } from '#domain/accounts/users/get-me.ts'
import { presentMe } from '#http/present/present-user.ts'
import { defineRoute } from '#http/pipeline/route.ts'

export const getMeRoute = defineRoute({
  method: 'GET',
  path: '/v1/users/me',
  operationId: 'getMe',
  tag: 'Users',
  summary: 'Get the current user',
  policy: 'standard',
  access: 'token',
  success: { status: 200, description: 'The user.', component: 'Me' },
  errors: ['forbidden'],
  handle: async ({ db, caller }) => {
    const { userId, organizationId } = caller
    return presentMe(await getMe(db, { userId, organizationId }))
  },
})
