import { Type } from 'typebox'
import { may } from '#domain/accounts/users/roles.ts'
import { rotateToken } from '#domain/accounts/tokens/rotate-token.ts'
import { presentToken } from '#http/present/present-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const rotateTokenRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/tokens/:token_id/rotate`,
  operationId: 'rotateToken',
  tag: 'Tokens',
  summary: 'Rotate a token',
  description:
    'The token gets a new secret, and the old one stops working immediately. The new secret is shown only in this response.',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: Type.Object({ org_id: Id, token_id: Id }),
  success: { status: 200, description: 'The token.', component: 'NewToken' },
  errors: ['token_not_found', 'conflict'],
  secrets: ['token'],
  handle: async ({ app, db, params, caller }) => {
    const rotated = await rotateToken(db, app.tokenKeys, {
      organizationId: params.org_id,
      tokenId: params.token_id,
      userId: may(caller, 'manage_all_tokens') ? null : caller.userId,
      scopesMax: caller.scopes,
    })
    return { ...presentToken(rotated.token), token: rotated.secret }
  },
})
