import { listWorkerTokens } from '#domain/runs/worker-tokens/list-worker-tokens.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentWorkerToken } from '#http/present/present-worker-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listWorkerTokensRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/worker-tokens`,
  operationId: 'listWorkerTokens',
  tag: 'Workers',
  summary: 'List worker tokens, newest first',
  description: 'Each with the workers that are connected with it now.',
  policy: 'standard',
  access: 'manage_workers',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of worker tokens.', component: 'WorkerTokenPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listWorkerTokens(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map(presentWorkerToken), total }, query)
  },
})
