import { Type } from 'typebox'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { createRun } from '#domain/runs/create-run.ts'
import { checkMetadata, checkPrompt } from '#http/check-run-input.ts'
import { chooseEngine } from '#http/choose-engine.ts'
import { presentRun } from '#http/present/present-run.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { AnyObject, Id, Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'

export const createRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run`,
  operationId: 'createRun',
  tag: 'Runs',
  summary: 'Start a run',
  policy: 'creation',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({
    prompt: Type.String({ pattern: '\\S', description: 'What the agent is to do; at most 256 KiB.' }),
    repo_id: Type.Optional(Nullable(Id)),
    metadata: Type.Optional(Nullable(AnyObject({ description: 'Kept with the run; at most 16 KiB and 8 levels.' }))),
    model: Type.Optional(Nullable(Text(200))),
    agent_type: Type.Optional(Nullable(Text(100, { description: 'The engine: codegen, repair, scripted, …' }))),
    title: Type.Optional(Nullable(Text(200))),
    base_branch: Type.Optional(Nullable(Text(244, { description: 'The default branch when left out.' }))),
    create_pull_request: Type.Optional(
      Nullable(Type.Boolean({ description: "The organization's setting when left out." })),
    ),
    timeout_minutes: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: limits.runMinutesMax }))),
  }),
  success: { status: 200, description: 'The run, queued.', component: 'AgentRun' },
  errors: ['prompt_too_long', 'metadata_too_large', 'engine_unavailable', 'repo_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    checkPrompt(body.prompt)
    if (body.metadata) checkMetadata(body.metadata)
    const run = await createRun(db, {
      organizationId: params.org_id,
      userId: caller.userId,
      sourceType: 'API',
      agentType: chooseEngine(app.engines, body.agent_type ?? null),
      prompt: body.prompt,
      repoId: body.repo_id ?? null,
      metadata: (body.metadata ?? null) as JsonObject | null,
      model: body.model ?? null,
      title: body.title ?? null,
      baseBranch: body.base_branch ?? null,
      createPullRequest: body.create_pull_request ?? null,
      timeoutMinutes: body.timeout_minutes ?? null,
    })
    return presentRun(run, app.publicUrl)
  },
})
