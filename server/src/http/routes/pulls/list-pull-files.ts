import { pageOf } from '#http/pipeline/page-of.ts'
import { readComparison } from '#http/input/read-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const listPullFilesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/files`,
  operationId: 'listPullFiles',
  tag: 'Pull requests',
  summary: 'List the files changed by a pull request, by path',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of files.', component: 'PullRequestFilePage' },
  errors: ['pull_not_found', 'branch_not_found', 'comparison_too_large'],
  handle: async ({ app, db, params, query }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    const files = await readComparison(db, ids, ({ repo, compare }) =>
      app.hosts.git(repo).listChangedFiles(repo, compare),
    )
    const items = files
      .slice(query.skip, query.skip + query.limit)
      .map(({ previousPath, path, ...rest }) => ({ path, previous_path: previousPath, ...rest }))
    return pageOf({ items, total: files.length }, query)
  },
})
