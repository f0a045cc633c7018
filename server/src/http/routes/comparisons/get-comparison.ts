import { getComparison } from '#domain/hosts/comparisons/get-comparison.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { ComparisonParams } from '#http/schemas/comparison.ts'

export const getComparisonRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/comparisons/:comparison_id`,
  operationId: 'getComparison',
  tag: 'Comparisons',
  summary: 'Get a comparison with its contestants',
  policy: 'standard',
  access: 'read',
  params: ComparisonParams,
  success: { status: 200, description: 'The comparison.', component: 'Comparison' },
  errors: ['comparison_not_found'],
  handle: async ({ app, db, params }) => {
    const ids = { organizationId: params.org_id, comparisonId: params.comparison_id }
    return presentComparison(await getComparison(db, ids), app.publicUrl)
  },
})
