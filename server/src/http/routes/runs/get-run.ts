import { getRun } from '#domain/runs/get-run.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { RunParams } from './run-params.ts'

export const getRunRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id`,
  operationId: 'getRun',
  tag: 'Runs',
  summary: 'Read a run',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['run_not_found'],
  handle: async ({ app, db, params }) => {
    const run = await getRun(db, { organizationId: params.org_id, runId: params.agent_run_id })
    return presentRun(run, app.publicUrl)
  },
})
