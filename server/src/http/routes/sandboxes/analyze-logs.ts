import { Type } from 'typebox'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { createRun } from '#domain/runs/runs/create-run.ts'
import { prepareLogAnalysis } from '#domain/runs/sandbox-logs/prepare-log-analysis.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'

export const analyzeLogsRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/sandbox/:sandbox_id/analyze-logs`,
  operationId: 'analyzeLogs',
  tag: 'Sandboxes',
  summary: 'Explain what went wrong in a sandbox',
  description:
    'Starts a run that reads the stored logs of the sandbox. Without a model, it names the failing commands, their first errors, and what those usually mean.',
  policy: 'analysis',
  access: 'use_agents',
  params: Type.Object({ org_id: Id, sandbox_id: Id }),
  success: { status: 200, description: 'The queued run.', component: 'LogAnalysis' },
  errors: ['sandbox_not_found', 'no_logs', 'budget_reached', 'sandbox_too_weak'],
  handle: async ({ app, db, params, caller, request }) => {
    const hasOwnModels = await hasModelProvider(db, { organizationId: params.org_id })
    const hasModel = app.engines.get('builtin')?.availability(hasOwnModels).available ?? false
    const newRun = await prepareLogAnalysis(db, {
      organizationId: params.org_id,
      sandboxId: params.sandbox_id,
      userId: caller.userId,
      agentType: hasModel ? 'builtin' : 'explain',
      traceparent: traceparentOf(request),
    })
    const { id, status } = await createRun(db, newRun)
    const message = `Run ${id} explains the logs of sandbox ${params.sandbox_id}; its result is the explanation.`
    return { agent_run_id: id, status, message }
  },
})
