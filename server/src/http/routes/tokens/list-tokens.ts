import { may } from '#domain/accounts/users/roles.ts'
import { listTokens } from '#domain/accounts/tokens/list-tokens.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentToken } from '#http/present/present-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listTokensRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/tokens`,
  operationId: 'listTokens',
  tag: 'Tokens',
  summary: 'List tokens',
  description: 'Your own tokens. An ADMIN sees all tokens of the organization.',
  policy: 'standard',
  access: 'manage_own_tokens',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of tokens.', component: 'TokenPage' },
  handle: async ({ db, params, query, caller }) => {
    const userId = may(caller, 'manage_all_tokens') ? null : caller.userId
    const { items, total } = await listTokens(db, { organizationId: params.org_id, userId, ...query })
    return pageOf({ items: items.map(presentToken), total }, query)
  },
})
