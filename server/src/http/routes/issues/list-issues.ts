import { Type } from 'typebox'
import { listIssues } from '#domain/hosts/issues/list-issues.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentIssue } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, pageFields, Word } from '#http/schemas/fields.ts'

export const listIssuesRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/issues`,
  operationId: 'listIssues',
  tag: 'Issues',
  summary: 'List the issues of a repository on the built-in host, newest first',
  policy: 'standard',
  access: 'read',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  query: Type.Object({
    ...pageFields,
    state: Type.Optional(Word(['open', 'closed', 'all'], { description: 'Defaults to `all`.' })),
  }),
  success: { status: 200, description: 'A page of issues.', component: 'IssuePage' },
  errors: ['repo_not_found'],
  handle: async ({ app, db, params, query }) => {
    const ids = { organizationId: params.org_id, repoId: params.repo_id }
    const { items, total } = await listIssues(db, { ...ids, ...query, state: query.state ?? 'all' })
    return pageOf({ items: items.map((issue) => presentIssue(issue, app.publicUrl)), total }, query)
  },
})
