import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import { checkBodyWithoutImages, checkPrompt } from '#http/input/check-run-input.ts'
import { presentRun } from '#http/present/present-run.ts'
import { readImages, storeImages } from '#http/input/read-images.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Images, Nullable, OrganizationParams } from '#http/schemas/fields.ts'

export const resumeRunRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/agent/run/resume`,
  operationId: 'resumeRun',
  tag: 'Runs',
  summary: 'Send a follow-up',
  description:
    'A run that has ended continues with a new turn. A run that is queued or in progress reads the message before its next step.',
  policy: 'standard',
  access: 'use_agents',
  params: OrganizationParams,
  body: Type.Object({
    agent_run_id: Id,
    prompt: Type.String({ pattern: '\\S', description: 'At most 256 KiB.' }),
    images: Type.Optional(Nullable(Images)),
  }),
  bodyBytesMax: limits.bodyWithImagesBytesMax,
  success: { status: 200, description: 'The run.', component: 'AgentRun' },
  errors: ['prompt_too_long', 'budget_reached', 'run_not_found', 'conflict', 'storage_full'],
  handle: async ({ app, db, params, body, caller }) => {
    checkBodyWithoutImages(body)
    checkPrompt(body.prompt)
    const { agent_run_id: runId, prompt } = body
    const organizationId = params.org_id
    const images = await storeImages({ app, db, organizationId, images: readImages(body.images) })
    const run = await resumeRun(db, { organizationId, runId, prompt, images, userId: caller.userId })
    return presentRun(run, app.publicUrl)
  },
})
