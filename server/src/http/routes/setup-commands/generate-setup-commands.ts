import { Type } from 'typebox'
import { generateSetupCommands } from '#domain/runs/setup-commands/generate-setup-commands.ts'
import { checkPrompt } from '#http/input/check-run-input.ts'
import { presentSetupRun } from '#http/present/present-setup-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'

export const generateSetupCommandsRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/setup-commands/generate`,
  operationId: 'generateSetupCommands',
  tag: 'Repositories',
  summary: 'Generate setup commands for a repository',
  description:
    "Starts a run that reads the repository's own setup instructions, tries them in a fresh sandbox, and proposes commands that pass. Works without a model. If such a run is already active for the repository, it is returned. Passing a prompt that it was not given is a conflict.",
  policy: 'setup',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({
    repo_id: Id,
    prompt: Type.Optional(Nullable(Type.String({ description: 'What the agent should know about the setup.' }))),
    trigger_source: Type.Optional(
      Nullable(Text(100, { description: 'What triggered the request, such as `setup-commands`.' })),
    ),
  }),
  success: { status: 200, description: 'The run.', component: 'SetupRun' },
  errors: ['prompt_too_long', 'budget_reached', 'repo_not_found', 'conflict', 'sandbox_too_weak'],
  handle: async ({ app, db, params, body, caller, request }) => {
    checkPrompt(body.prompt ?? '')
    const run = await generateSetupCommands(db, {
      organizationId: params.org_id,
      userId: caller.userId,
      repoId: body.repo_id,
      prompt: body.prompt?.trim() || null,
      triggerSource: body.trigger_source ?? null,
      traceparent: traceparentOf(request),
    })
    return presentSetupRun(app, run)
  },
})
