import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { createMessage } from '#domain/messages/create-message.ts'
import { checkBodyWithoutImages, checkPrompt } from '#http/check-run-input.ts'
import { presentMessage } from '#http/present/present-message.ts'
import { readImages } from '#http/read-images.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { RunParams } from '#http/routes/runs/run-params.ts'
import { Images, Nullable } from '#http/schemas/fields.ts'

export const createMessageRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/:agent_run_id/messages`,
  operationId: 'createMessage',
  tag: 'Messages',
  summary: 'Queue a message for a run at work',
  description: 'The agent reads it before its next step. A run that has ended takes none: resume it.',
  policy: 'standard',
  access: 'use_agents',
  params: RunParams,
  body: Type.Object({
    prompt: Type.String({ pattern: '\\S', description: 'At most 256 KiB.' }),
    images: Type.Optional(Nullable(Images)),
  }),
  bodyBytesMax: limits.bodyWithImagesBytesMax,
  success: { status: 201, description: 'The message.', component: 'Message' },
  errors: ['prompt_too_long', 'run_not_found', 'run_already_ended'],
  handle: async ({ app, db, params, body, caller }) => {
    checkBodyWithoutImages(body)
    checkPrompt(body.prompt)
    const { org_id: organizationId, agent_run_id: runId } = params
    const images = await readImages({ app, organizationId, images: body.images })
    const { userId } = caller
    return presentMessage(await createMessage(db, { organizationId, runId, prompt: body.prompt, images, userId }))
  },
})
