import { Type } from 'typebox'
import { removeRepo } from '#domain/repos/remove-repo.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeRepoRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id`,
  operationId: 'removeRepo',
  tag: 'Repositories',
  summary: 'Remove a repository',
  description:
    'With its content on the built-in host and its secrets; of another host only what is here. Its runs and their logs stay, without their diffs. Refused while runs are at work in it, and then it is archived.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  success: { status: 204, description: 'It is gone.' },
  errors: ['repo_not_found', 'conflict'],
  handle: ({ app, db, params }) =>
    removeRepo(db, { organizationId: params.org_id, repoId: params.repo_id, store: app.host }),
})
