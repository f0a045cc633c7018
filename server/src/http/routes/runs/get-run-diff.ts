import { limits } from '#base/limits.ts'
import { getRunBranch } from '#domain/runs/get-run-branch.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { RunParams } from './run-params.ts'

export const getRunDiffRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/diff`,
  operationId: 'getRunDiff',
  tag: 'Runs',
  summary: 'Read what a run has changed',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: {
    status: 200,
    description: "A unified diff of the run's branch; empty where it has pushed nothing.",
    mediaType: 'text/x-diff',
  },
  errors: ['run_not_found'],
  handle: async ({ app, db, params }) => {
    const { ref, base, head } = await getRunBranch(db, {
      organizationId: params.org_id,
      runId: params.agent_run_id,
    })
    return head === null ? '' : app.host.diff(ref, { base, head, bytesMax: limits.diffBytesMax })
  },
})
