import { continueRun } from '#domain/runs/runs/continue-run.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const continueRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/continue`,
  operationId: 'continueRun',
  tag: 'Runs',
  summary: 'Continue a paused run',
  description:
    'The turn continues at the step where it stopped, without a new prompt. A run that waits for its code host (`waiting_for_host`) tries again now. A run that was paused because of a cost limit or budget also continues automatically once spending is allowed again.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['budget_reached', 'run_not_found', 'run_already_ended', 'conflict'],
  handle: async ({ app, db, params }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    return presentRun(await continueRun(db, ids), app.publicUrl)
  },
})
