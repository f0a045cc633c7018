import { getTimeline } from '#domain/runs/runs/get-timeline.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const getTimelineRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/timeline`,
  operationId: 'getTimeline',
  tag: 'Runs',
  summary: 'Get the timeline of a run',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'What the run spent its time on, as spans in order.', component: 'Timeline' },
  errors: ['run_not_found'],
  handle: async ({ db, params }) => {
    const spans = await getTimeline(db, { organizationId: params.org_id, runId: params.agent_run_id })
    return spans.map(({ kind, from, to }) => ({ kind, from: from.toISOString(), to: to?.toISOString() ?? null }))
  },
})
