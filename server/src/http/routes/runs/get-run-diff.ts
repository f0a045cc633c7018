import { limits } from '#base/limits.ts'
import { askComparison } from '#http/input/ask-comparison.ts'
import { getRunBranch } from '#domain/runs/git-access/get-run-branch.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const getRunDiffRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/diff`,
  operationId: 'getRunDiff',
  tag: 'Runs',
  summary: 'Get the diff of a run',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: {
    status: 200,
    description: "A unified diff of the run's branch. Empty if the run has not pushed anything.",
    mediaType: 'text/x-diff',
  },
  errors: ['run_not_found', 'comparison_too_large'],
  handle: async ({ app, db, params }) => {
    const run = { organizationId: params.org_id, runId: params.agent_run_id }
    const { ref, base, head } = await getRunBranch(db, run)
    if (head === null) return ''
    const diff = await askComparison(() => app.hosts.git(ref).diff(ref, { base, head, bytesMax: limits.diffBytesMax }))
    // What others have committed, or what was no secret yet when it was pushed, may be one of the run's.
    const redactor = await app.redactors.read(run)
    return redactor.mask(diff)
  },
})
