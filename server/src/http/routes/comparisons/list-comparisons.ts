import { Type } from 'typebox'
import { listComparisons } from '#domain/hosts/comparisons/list-comparisons.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, OrganizationParams, pageFields } from '#http/schemas/fields.ts'

export const listComparisonsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/comparisons`,
  operationId: 'listComparisons',
  tag: 'Comparisons',
  summary: 'List comparisons, newest first',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: Type.Object({
    ...pageFields,
    run_id: Type.Optional(Type.Integer({ ...Id, description: 'Only the comparison that this run takes part in.' })),
  }),
  success: { status: 200, description: 'A page of comparisons.', component: 'ComparisonPage' },
  handle: async ({ app, db, params, query }) => {
    const { run_id: runId, skip, limit } = query
    const { items, total } = await listComparisons(db, {
      organizationId: params.org_id,
      runId: runId ?? null,
      skip,
      limit,
    })
    return pageOf({ items: items.map((one) => presentComparison(one, app.publicUrl)), total }, query)
  },
})
