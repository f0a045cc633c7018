import { listPullComments } from '#domain/hosts/pulls/list-pull-comments.ts'
import { askHost } from '#http/input/ask-host.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentPullComment } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const listPullCommentsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/comments`,
  operationId: 'listPullComments',
  tag: 'Pull requests',
  summary: 'List comments on a pull request, oldest first',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of comments.', component: 'PullRequestCommentPage' },
  errors: ['pull_not_found', 'conflict'],
  handle: async ({ app, db, params, query }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    const { items, total } = await askHost('pull_not_found', () =>
      listPullComments(db, { ...ids, hosts: app.hosts, ...query }),
    )
    return pageOf({ items: items.map(presentPullComment), total }, query)
  },
})
