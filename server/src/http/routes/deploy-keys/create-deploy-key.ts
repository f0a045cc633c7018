import { createDeployKey } from '#domain/repos/deploy-keys/create-deploy-key.ts'
import { presentDeployKey } from '#http/present/present-deploy-key.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { NewDeployKey, RepoParams } from '#http/schemas/deploy-key.ts'

export const createDeployKeyRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos/:repo_id/deploy-keys`,
  operationId: 'createDeployKey',
  tag: 'Repositories',
  summary: 'Add a deploy key to a repository',
  description:
    'Anyone who has its private key can clone the repository over SSH, and push to it if `can_push` is true. It opens no other repository. The service must have SSH turned on.',
  policy: 'standard',
  access: 'manage_repos',
  params: RepoParams,
  body: NewDeployKey,
  success: { status: 201, description: 'The deploy key.', component: 'DeployKey' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ db, params, body, caller }) => {
    const { title, key, can_push: canPush = false } = body
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    return presentDeployKey(await createDeployKey(db, { ...place, title, key, canPush, userId: caller.userId }))
  },
})
