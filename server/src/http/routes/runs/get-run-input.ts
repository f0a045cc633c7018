import type { ImageRef } from '#domain/runs/messages/message.ts'
import { getRunInput } from '#domain/runs/runs/get-run-input.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RunParams } from '#http/schemas/run-params.ts'

export const getRunInputRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/input`,
  operationId: 'getRunInput',
  tag: 'Runs',
  summary: 'Get the images and the output schema of a run',
  description: 'What the run was created with and `AgentRun` leaves out, in the form in which creating a run takes it.',
  policy: 'standard',
  access: 'read',
  params: RunParams,
  success: { status: 200, description: 'The input.', component: 'RunInput' },
  errors: ['run_not_found'],
  handle: async ({ app, db, params }) => {
    const organizationId = params.org_id
    const { images, outputSchema } = await getRunInput(db, { organizationId, runId: params.agent_run_id })
    const read = await Promise.all(images.map((image) => dataUri(app.blobs, organizationId, image)))
    return { images: read.filter((uri) => uri !== null), output_schema: outputSchema }
  },
})

/** Null where it is not stored any more. */
async function dataUri(
  blobs: HttpApp['blobs'],
  organizationId: number,
  { sha256, mediaType }: ImageRef,
): Promise<string | null> {
  const blob = await blobs.open({ organizationId, sha256 })
  if (!blob) return null
  const bytes = Buffer.concat((await blob.content.toArray()) as Buffer[])
  return `data:${mediaType};base64,${bytes.toString('base64')}`
}
