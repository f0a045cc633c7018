import { Type } from 'typebox'
import { deleteUser } from '#domain/accounts/deletions/delete-user.ts'
import { defineRoute } from '#http/pipeline/route.ts'

export const deleteMeRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/users/me',
  operationId: 'deleteMe',
  tag: 'Users',
  summary: 'Delete your account',
  description:
    'Deletes your name, email address, prompt, inbox, saved views, linked accounts, tokens and sessions, in all organizations. Your runs, comments and pull requests are kept as those of a deleted user. Refused while you are the last ADMIN of an organization or runs of yours have not ended, and with a token that is bound to one organization while you are a member of another one. `confirm` must be your email address, or your name if you have none.',
  policy: 'standard',
  access: 'manage_profile',
  query: Type.Object({ confirm: Type.String({ maxLength: 400 }) }),
  success: { status: 204, description: 'Deleted.' },
  errors: ['last_admin', 'conflict'],
  handle: ({ app, db, query, caller }) =>
    deleteUser(db, app.tokenKeys, {
      userId: caller.userId,
      organizationId: caller.organizationId,
      confirm: query.confirm,
    }),
})
