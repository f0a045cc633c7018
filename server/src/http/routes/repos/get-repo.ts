import { Type } from 'typebox'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { presentRepo } from '#http/present/present-repo.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const getRepoRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id`,
  operationId: 'getRepo',
  tag: 'Repositories',
  summary: 'Get a repository',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  success: { status: 200, description: 'The repository.', component: 'Repository' },
  errors: ['repo_not_found'],
  handle: async ({ app, db, params }) => {
    const repo = await getRepo(db, { organizationId: params.org_id, repoId: params.repo_id })
    return presentRepo(repo, app)
  },
})
