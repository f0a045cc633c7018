import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { roles } from '#domain/accounts/users/roles.ts'
import { updateMember } from '#domain/accounts/members/update-member.ts'
import { presentUser } from '#http/present/present-user.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, Word } from '#http/schemas/fields.ts'

export const updateMemberRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/members/:user_id`,
  operationId: 'updateMember',
  tag: 'Organizations',
  summary: "Change a member's role or GitHub identity",
  description:
    'Fields that are omitted or null are left unchanged. An empty `github_user_id` removes the GitHub identity.',
  policy: 'standard',
  access: 'manage_members',
  params: Type.Object({ org_id: Id, user_id: Id }),
  body: Type.Object({
    role: Type.Optional(Nullable(Word(roles))),
    github_user_id: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9]{0,19}$',
          description: 'The numeric GitHub user ID, which stays the same when the username changes.',
        }),
      ),
    ),
    github_username: Type.Optional(
      Nullable(Type.String({ maxLength: 100, description: 'Display only. Requires `github_user_id`.' })),
    ),
  }),
  success: { status: 200, description: 'The member.', component: 'User' },
  errors: ['user_not_found', 'last_admin', 'conflict'],
  handle: async ({ db, params, body }) => {
    const { org_id: organizationId, user_id: userId } = params
    const { github_user_id: id, github_username: login } = body
    if (login && !id) throw nameAlone()
    const github = id === undefined || id === null ? undefined : id === '' ? null : { id, login: login ?? '' }
    return presentUser(await updateMember(db, { organizationId, userId, role: body.role ?? undefined, github }))
  },
})

function nameAlone(): AppError {
  const msg = 'names nobody by itself: give github_user_id too'
  const detail = [{ loc: ['body', 'github_username'], msg, type: 'value' }]
  return new AppError('invalid_request', { message: `body.github_username ${msg}.`, detail })
}
