import { Type } from 'typebox'
import { trySetupCommands } from '#domain/runs/setup-commands/try-setup-commands.ts'
import { presentSetupRun } from '#http/present/present-setup-run.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { limits } from '#base/limits.ts'
import { Id, Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'

const Command = (description: string) => Text(limits.setupCommandsCharactersMax, { description })

export const trySetupCommandsRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/setup-commands/try`,
  operationId: 'trySetupCommands',
  tag: 'Repositories',
  summary: 'Try setup commands',
  description:
    'Starts a run that runs the given commands in a fresh sandbox, from a clean work tree of the default branch. Nothing is saved: the run completes if they pass, and fails as `setup_failed` if they do not. Its log has their output.',
  policy: 'setup',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({
    repo_id: Id,
    commands: Command('Bash, run in the root of the work tree.'),
    test_command: Type.Optional(Nullable(Command('A command to run after them.'))),
  }),
  success: { status: 200, description: 'The run.', component: 'SetupRun' },
  errors: ['budget_reached', 'repo_not_found', 'sandbox_too_weak'],
  handle: async ({ app, db, params, body, caller, request }) => {
    const run = await trySetupCommands(db, {
      organizationId: params.org_id,
      userId: caller.userId,
      repoId: body.repo_id,
      commands: body.commands,
      testCommand: body.test_command ?? null,
      traceparent: traceparentOf(request),
    })
    return presentSetupRun(app, run)
  },
})
