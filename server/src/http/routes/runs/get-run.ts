import { answerTagged } from '#http/pipeline/answer-tagged.ts'
import { jsonOf } from '#http/pipeline/json-of.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const getRunRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id`,
  operationId: 'getRun',
  tag: 'Runs',
  summary: 'Get a run',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['run_not_found'],
  isTagged: true,
  handle: async ({ app, db, recent, params, request, reply }) => {
    const ids = { organizationId: params.org_id, runId: params.agent_run_id }
    const version = await recent.runs.version(ids)
    const make = async () => {
      const run = await recent.runs.get(db, { ...ids, version })
      return jsonOf(presentRun(run, app.publicUrl))
    }
    return answerTagged({ request, reply, recent }, { madeOf: ['run', ids.runId, version, app.publicUrl], make })
  },
})
