import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { removeRepo } from '#domain/repos/repos/remove-repo.ts'
import { may } from '#domain/accounts/users/roles.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const removeRepoRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/repos/:repo_id`,
  operationId: 'removeRepo',
  tag: 'Repositories',
  summary: 'Remove a repository',
  description:
    'Deletes a repository with its content, pull requests, issues, checks, secrets, keys and settings; on an external host, what is stored of it here. It is gone immediately, and its bytes are removed within minutes. Its runs and their logs are kept, without their diffs, unless `delete_runs` is true, which takes an ADMIN. If runs are in progress in the repository, the request is refused and the repository is archived.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  query: Type.Object({ delete_runs: Type.Optional(Type.Boolean({ default: false })) }),
  success: { status: 204, description: 'Removed.' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ app, db, params, query, caller }) => {
    const takesRuns = query.delete_runs ?? false
    if (takesRuns && !may(caller, 'delete_all_runs'))
      throw new AppError('forbidden', { message: 'Only an ADMIN can delete the runs of a repository with it.' })
    const { admin } = app.hosts
    await removeRepo(db, { organizationId: params.org_id, repoId: params.repo_id, takesRuns, admin })
  },
})
