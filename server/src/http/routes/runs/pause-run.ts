import { pauseRun } from '#domain/runs/runs/pause-run.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const pauseRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/pause`,
  operationId: 'pauseRun',
  tag: 'Runs',
  summary: 'Pause a run',
  description: 'A queued run is paused immediately. A run in progress stops before its next step and keeps its files.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['run_not_found', 'run_already_ended', 'conflict'],
  handle: async ({ app, db, params, caller }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    return presentRun(await pauseRun(db, { ...ids, userId: caller.userId }), app.publicUrl)
  },
})
