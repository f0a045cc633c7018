import { deleteRun } from '#domain/runs/runs/delete-run.ts'
import { may } from '#domain/accounts/users/roles.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const deleteRunRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/agent/run/:agent_run_id`,
  operationId: 'deleteRun',
  tag: 'Runs',
  summary: 'Delete a run',
  description:
    'Deletes a run that has ended, with its log, messages, files and network requests; it is gone immediately, and its bytes are removed within minutes. Members can delete runs they started, an ADMIN all. What the run cost stays in usage and budgets. Runs and pull requests it started, and what it pushed to a repository, are kept.',
  policy: 'standard',
  access: 'use_agents',
  isAudited: true,
  params: RunParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['run_not_found', 'conflict'],
  handle: async ({ db, params, caller }) => {
    const userId = may(caller, 'delete_all_runs') ? null : caller.userId
    await deleteRun(db, { organizationId: params.org_id, runId: params.agent_run_id, userId })
  },
})
