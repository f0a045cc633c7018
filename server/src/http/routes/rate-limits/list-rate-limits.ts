import { pageOf } from '#http/pipeline/page-of.ts'
import { presentRateLimit } from '#http/present/present-rate-limit.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listRateLimitsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/rate-limits`,
  operationId: 'listRateLimits',
  tag: 'Organizations',
  summary: 'Get the rate limits of your token',
  description: 'This request is already counted. Policies that are off are not listed.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: {
    status: 200,
    description: 'The limits of this token, and those it shares with others.',
    component: 'RateLimitPage',
  },
  handle: async ({ app, deps, query, caller }) => {
    const states = await deps.rateLimiter.list(caller)
    const now = app.clock.now()
    const items = states.slice(query.skip, query.skip + query.limit).map((state) => presentRateLimit(state, now))
    return pageOf({ items, total: states.length }, query)
  },
})
