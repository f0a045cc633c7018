import { listComparisons } from '#domain/hosts/comparisons/list-comparisons.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listComparisonsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/comparisons`,
  operationId: 'listComparisons',
  tag: 'Comparisons',
  summary: 'List comparisons, newest first',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of comparisons.', component: 'ComparisonPage' },
  handle: async ({ app, db, params, query }) => {
    const { items, total } = await listComparisons(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map((one) => presentComparison(one, app.publicUrl)), total }, query)
  },
})
