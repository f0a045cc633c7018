import { revokeWorkerToken } from '#domain/runs/worker-tokens/revoke-worker-token.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { WorkerTokenParams } from '#http/schemas/worker-token.ts'

export const revokeWorkerTokenRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/worker-tokens/:worker_token_id`,
  operationId: 'revokeWorkerToken',
  tag: 'Workers',
  summary: 'Revoke a worker token',
  description:
    'Workers that are connected with it are disconnected within seconds, and other workers continue their runs.',
  policy: 'standard',
  access: 'manage_workers',
  params: WorkerTokenParams,
  success: { status: 204, description: 'The worker token was revoked.' },
  errors: ['worker_token_not_found'],
  handle: async ({ db, params }) => {
    await revokeWorkerToken(db, { organizationId: params.org_id, tokenId: params.worker_token_id })
  },
})
