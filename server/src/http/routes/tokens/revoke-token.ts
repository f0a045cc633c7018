import { Type } from 'typebox'
import { may } from '#domain/accounts/users/roles.ts'
import { revokeToken } from '#domain/accounts/tokens/revoke-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const revokeTokenRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/tokens/:token_id`,
  operationId: 'revokeToken',
  tag: 'Tokens',
  summary: 'Revoke a token',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: Type.Object({ org_id: Id, token_id: Id }),
  success: { status: 204, description: 'The token was revoked.' },
  errors: ['token_not_found'],
  handle: async ({ app, db, params, caller }) => {
    const userId = may(caller, 'manage_all_tokens') ? null : caller.userId
    await revokeToken(db, app.tokenKeys, { organizationId: params.org_id, tokenId: params.token_id, userId })
  },
})
