import { removeDeployKey } from '#domain/repos/deploy-keys/remove-deploy-key.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { DeployKeyParams } from '#http/schemas/deploy-key.ts'

export const removeDeployKeyRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id/deploy-keys/:deploy_key_id`,
  operationId: 'removeDeployKey',
  tag: 'Repositories',
  summary: 'Remove a deploy key',
  description: 'Nothing more is fetched or pushed with it. A push that is still being sent is refused.',
  policy: 'standard',
  access: 'manage_repos',
  params: DeployKeyParams,
  success: { status: 204, description: 'Removed.' },
  errors: ['repo_not_found', 'deploy_key_not_found'],
  handle: async ({ db, params }) => {
    await removeDeployKey(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      deployKeyId: params.deploy_key_id,
    })
  },
})
