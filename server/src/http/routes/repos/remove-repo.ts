import { Type } from 'typebox'
import { removeRepo } from '#domain/repos/repos/remove-repo.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeRepoRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id`,
  operationId: 'removeRepo',
  tag: 'Repositories',
  summary: 'Remove a repository',
  description:
    'Also removes its secrets and, on the built-in host, its content. On an external host, only the data stored here is removed. Its runs and their logs are kept, without their diffs. If runs are in progress in the repository, the request is refused and the repository is archived.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  success: { status: 204, description: 'Removed.' },
  errors: ['repo_not_found', 'conflict'],
  handle: ({ app, db, params }) =>
    removeRepo(db, { organizationId: params.org_id, repoId: params.repo_id, admin: app.hosts.admin }),
})
