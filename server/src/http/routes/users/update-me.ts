import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { updateMe } from '#domain/accounts/users/update-me.ts'
import { presentMe } from '#http/present/present-user.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { Nullable, Text } from '#http/schemas/fields.ts'

export const updateMeRoute = defineRoute({
  method: 'PATCH',
  path: '/v1/users/me',
  operationId: 'updateMe',
  tag: 'Users',
  summary: 'Update the current user',
  description: 'Applies to all organizations. Omitted fields are left unchanged; null removes a value.',
  policy: 'standard',
  access: 'manage_profile',
  body: Type.Object({
    full_name: Type.Optional(Nullable(Text(200))),
    user_custom_prompt: Type.Optional(Nullable(Type.String({ maxLength: limits.rulesCharactersMax }))),
  }),
  success: { status: 200, description: 'The user.', component: 'Me' },
  handle: async ({ db, body, caller }) => {
    const { userId, organizationId } = caller
    const change = { fullName: body.full_name, customPrompt: body.user_custom_prompt }
    return presentMe(await updateMe(db, { userId, organizationId, ...change }))
  },
})
