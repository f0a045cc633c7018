import { cancelRun } from '#domain/runs/runs/cancel-run.ts'
import { hasEnded } from '#domain/runs/run-head.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const cancelRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/cancel`,
  operationId: 'cancelRun',
  tag: 'Runs',
  summary: 'Cancel a run',
  description: 'A queued run ends immediately. A run in progress ends as soon as its agent has stopped.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['run_not_found', 'run_already_ended'],
  handle: async ({ app, db, params, caller }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const run = await cancelRun(db, { ...ids, userId: caller.userId })
    const { status, turn } = run
    if (hasEnded(run)) app.telemetry.noteEnd({ ...ids, turn, workerId: null }, { status, code: null })
    return presentRun(run, app.publicUrl)
  },
})
