import { keepWinner } from '#domain/hosts/comparisons/keep-winner.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { announceStopped } from '#http/input/announce-stopped.ts'
import { ComparisonParams, KeptRun } from '#http/schemas/comparison.ts'

export const keepWinnerRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/comparisons/:comparison_id/winner`,
  operationId: 'keepWinner',
  tag: 'Comparisons',
  summary: 'Keep the work of one contestant',
  description:
    'The run must have passed. A worker then opens its pull request, if requested, and deletes the branches of the others; their runs and logs stay. Runs still open are canceled. Repeated requests have no further effect.',
  policy: 'standard',
  access: 'use_agents',
  isAudited: true,
  params: ComparisonParams,
  body: KeptRun,
  success: { status: 200, description: 'The comparison.', component: 'Comparison' },
  errors: ['comparison_not_found', 'run_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const ids = { organizationId: params.org_id, comparisonId: params.comparison_id }
    const { run_id: runId, open_pull_request: opensPull } = body
    const kept = { ...ids, runId, opensPull: opensPull ?? false, userId: caller.userId }
    const { comparison, stopped } = await keepWinner(db, kept)
    announceStopped(app, stopped)
    return presentComparison(comparison, app.publicUrl)
  },
})
