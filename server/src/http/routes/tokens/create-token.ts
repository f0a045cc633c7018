import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { may, scopes, type Scope } from '#domain/accounts/users/roles.ts'
import { createToken } from '#domain/accounts/tokens/create-token.ts'
import { presentToken } from '#http/present/present-token.ts'
import { readExpiry } from '#http/input/read-expiry.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, OrganizationParams, Text, Word } from '#http/schemas/fields.ts'

const ScopeList = Type.Unsafe<Scope[] | null>({
  type: ['array', 'null'],
  items: Word(scopes),
  minItems: 1,
  maxItems: scopes.length,
  description: 'Each scope includes the ones before it. Defaults to everything that the role allows.',
})

export const createTokenRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/tokens`,
  operationId: 'createToken',
  tag: 'Tokens',
  summary: 'Create a token',
  description: 'The token works only in this organization. Its secret is shown only in this response.',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: OrganizationParams,
  body: Type.Object({
    name: Text(200),
    scopes: Type.Optional(ScopeList),
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time', description: 'Defaults to never.' }))),
    user_id: Type.Optional(
      Nullable(Type.Integer({ ...Id, description: 'Creates the token for another user. Requires an ADMIN.' })),
    ),
  }),
  success: { status: 201, description: 'The token.', component: 'NewToken' },
  errors: ['user_not_found', 'conflict'],
  secrets: ['token'],
  handle: async ({ app, db, params, body, caller }) => {
    const userId = body.user_id ?? caller.userId
    if (userId !== caller.userId && !may(caller, 'manage_all_tokens')) {
      throw new AppError('forbidden', { message: 'Only an ADMIN can create tokens for others.' })
    }
    const made = await createToken(db, app.tokenKeys, {
      organizationId: params.org_id,
      userId,
      name: body.name,
      scopes: body.scopes ?? null,
      scopesMax: caller.scopes,
      expiresAt: readExpiry(body.expires_at, app.clock),
    })
    return { ...presentToken(made.token), token: made.secret }
  },
})
