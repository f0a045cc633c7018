import { getIssue } from '#domain/hosts/issues/get-issue.ts'
import { presentIssue } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { IssueParams } from '#http/schemas/issue.ts'

export const getIssueRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/repos/:repo_id/issues/:n`,
  operationId: 'getIssue',
  tag: 'Issues',
  summary: 'Get an issue on the built-in host',
  policy: 'standard',
  access: 'read',
  params: IssueParams,
  success: { status: 200, description: 'The issue.', component: 'Issue' },
  errors: ['repo_not_found', 'issue_not_found'],
  handle: async ({ app, db, params }) => {
    const { org_id: organizationId, repo_id: repoId, n: number } = params
    return presentIssue(await getIssue(db, { organizationId, repoId, number }), app.publicUrl)
  },
})
