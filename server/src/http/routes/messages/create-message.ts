import { Type } from 'typebox'
import { createMessage } from '#domain/runs/messages/create-message.ts'
import { checkPrompt } from '#http/input/check-run-input.ts'
import { presentMessage } from '#http/present/present-message.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const createMessageRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/messages`,
  operationId: 'createMessage',
  tag: 'Messages',
  summary: 'Send a message to an active run',
  description:
    'The agent reads the message before its next step. A run that has ended does not accept messages; resume it instead.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  body: Type.Object({
    prompt: Type.String({ pattern: '\\S', description: 'At most 256 KiB.' }),
  }),
  success: { status: 201, description: 'The message.', component: 'Message' },
  errors: ['prompt_too_long', 'run_not_found', 'run_already_ended', 'conflict'],
  handle: async ({ db, params, body, caller }) => {
    checkPrompt(body.prompt)
    const { org_id: organizationId, agent_run_id: runId } = params
    const { userId } = caller
    return presentMessage(await createMessage(db, { organizationId, runId, prompt: body.prompt, userId }))
  },
})
