import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { getArtifact } from '#domain/runs/artifacts/get-artifact.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Text } from '#http/schemas/fields.ts'

export const getArtifactRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/run/:agent_run_id/artifacts/:name`,
  operationId: 'getArtifact',
  tag: 'Artifacts',
  summary: 'Download an artifact',
  description:
    'The file is always sent as a binary download, because it was written by an agent and browsers must not render it.',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, agent_run_id: Id, name: Text(255) }),
  success: { status: 200, description: 'The file.', mediaType: 'application/octet-stream' },
  errors: ['run_not_found', 'artifact_not_found'],
  handle: async ({ app, db, params, reply }) => {
    const { org_id: organizationId, agent_run_id: runId, name } = params
    const { sha256 } = await getArtifact(db, { organizationId, runId, name })
    const blob = await app.blobs.open({ organizationId, sha256 })
    if (!blob) throw new AppError('artifact_not_found', { message: 'The contents of this file are no longer stored.' })
    const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encoded}`)
    reply.header('content-length', blob.bytes)
    return blob.content
  },
})
