import { listDeployKeys } from '#domain/repos/deploy-keys/list-deploy-keys.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentDeployKey } from '#http/present/present-deploy-key.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { RepoParams } from '#http/schemas/deploy-key.ts'
import { PageQuery } from '#http/schemas/fields.ts'

export const listDeployKeysRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/deploy-keys`,
  operationId: 'listDeployKeys',
  tag: 'Repositories',
  summary: 'List deploy keys of a repository, newest first',
  policy: 'standard',
  access: 'read',
  params: RepoParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of deploy keys.', component: 'DeployKeyPage' },
  errors: ['repo_not_found'],
  handle: async ({ db, params, query }) => {
    const place = { organizationId: params.org_id, repoId: params.repo_id }
    const { items, total } = await listDeployKeys(db, { ...place, ...query })
    return pageOf({ items: items.map(presentDeployKey), total }, query)
  },
})
