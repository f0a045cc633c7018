import { createWorkerToken } from '#domain/runs/worker-tokens/create-worker-token.ts'
import { readExpiry } from '#http/input/read-expiry.ts'
import { presentWorkerToken } from '#http/present/present-worker-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'
import { NewWorkerTokenRequest } from '#http/schemas/worker-token.ts'

export const createWorkerTokenRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/worker-tokens`,
  operationId: 'createWorkerToken',
  tag: 'Workers',
  summary: 'Create a worker token',
  description:
    'Machines that show it as `RUNWRIGHT_WORKER_TOKEN` become workers for the runs of this organization. The service must have remote workers turned on. Its secret is shown only in this response.',
  policy: 'standard',
  access: 'manage_workers',
  params: OrganizationParams,
  body: NewWorkerTokenRequest,
  success: { status: 201, description: 'The worker token.', component: 'NewWorkerToken' },
  errors: ['conflict'],
  secrets: ['token'],
  handle: async ({ app, db, params, body, caller }) => {
    const made = await createWorkerToken(db, app.tokenKeys, {
      organizationId: params.org_id,
      name: body.name,
      labels: body.labels ?? null,
      createdBy: caller.userId,
      expiresAt: readExpiry(body.expires_at, app.clock),
    })
    return { ...presentWorkerToken({ ...made.token, workers: [] }), token: made.secret }
  },
})
