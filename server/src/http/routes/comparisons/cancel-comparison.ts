import { cancelComparison } from '#domain/hosts/comparisons/cancel-comparison.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { announceStopped } from '#http/input/announce-stopped.ts'
import { ComparisonParams } from '#http/schemas/comparison.ts'

export const cancelComparisonRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/comparisons/:comparison_id/cancel`,
  operationId: 'cancelComparison',
  tag: 'Comparisons',
  summary: 'Cancel the open runs of a comparison',
  description: 'Its judges stop too. Repeated requests have no further effect.',
  policy: 'standard',
  access: 'use_agents',
  params: ComparisonParams,
  success: { status: 200, description: 'The comparison.', component: 'Comparison' },
  errors: ['comparison_not_found'],
  handle: async ({ app, db, params, caller }) => {
    const ids = { organizationId: params.org_id, comparisonId: params.comparison_id }
    const { comparison, stopped } = await cancelComparison(db, { ...ids, userId: caller.userId })
    announceStopped(app, stopped)
    return presentComparison(comparison, app.publicUrl)
  },
})
