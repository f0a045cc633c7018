import { Type } from 'typebox'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { updateRun } from '#domain/runs/runs/update-run.ts'
import { checkMetadata } from '#http/input/check-run-input.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { AnyObject, Cost, Effort, MaxModelCalls, Nullable, Text } from '#http/schemas/fields.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const updateRunRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/agent/run/:agent_run_id`,
  operationId: 'updateRun',
  tag: 'Runs',
  summary: 'Update a run',
  description:
    'Omitted fields are left unchanged. Changes to `title`, `metadata`, and `archived` apply immediately. For a run in progress, changes to the model, effort, limits, and timeout apply from its next step. A run that is paused because it reached its cost limit continues when the limit is raised.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  body: Type.Object({
    title: Type.Optional(Text(200)),
    metadata: Type.Optional(Nullable(AnyObject({ description: 'Replaces the existing metadata.' }))),
    archived: Type.Optional(Type.Boolean()),
    model: Type.Optional(Nullable(Text(200))),
    effort: Type.Optional(Nullable(Effort)),
    max_model_calls: Type.Optional(Nullable(MaxModelCalls)),
    max_cost_usd: Type.Optional(Nullable(Cost)),
    timeout_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.runMinutesMax })),
  }),
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['metadata_too_large', 'run_not_found'],
  handle: async ({ app, db, params, body }) => {
    if (body.metadata) checkMetadata(body.metadata)
    const { title, archived, model, effort, max_model_calls: maxModelCalls } = body
    const { max_cost_usd: maxCostUsd, timeout_minutes: timeoutMinutes } = body
    const metadata = body.metadata as JsonObject | null | undefined
    const run = await updateRun(db, {
      organizationId: params.org_id,
      runId: params.agent_run_id,
      changes: { title, metadata, archived, model, effort, maxModelCalls, maxCostUsd, timeoutMinutes },
    })
    return presentRun(run, app.publicUrl)
  },
})
