import { listIssueComments } from '#domain/hosts/issues/list-issue-comments.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentIssueComment } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'
import { IssueParams } from '#http/schemas/issue.ts'

export const listIssueCommentsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/issues/:n/comments`,
  operationId: 'listIssueComments',
  tag: 'Issues',
  summary: 'List comments on an issue, oldest first',
  policy: 'standard',
  access: 'read',
  params: IssueParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of comments.', component: 'IssueCommentPage' },
  errors: ['repo_not_found', 'issue_not_found'],
  handle: async ({ db, params, query }) => {
    const place = { organizationId: params.org_id, repoId: params.repo_id, number: params.n }
    const { items, total } = await listIssueComments(db, { ...place, ...query })
    return pageOf({ items: items.map(presentIssueComment), total }, query)
  },
})
