import { Type } from 'typebox'
import { createIssue } from '#domain/hosts/issues/create-issue.ts'
import { presentIssue } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable } from '#http/schemas/fields.ts'
import { IssueLabels, IssueText, IssueTitle } from '#http/schemas/issue.ts'

export const createIssueRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos/:repo_id/issues`,
  operationId: 'createIssue',
  tag: 'Issues',
  summary: 'Open an issue in a repository on the built-in host',
  description:
    "An issue that mentions the agent, is assigned to it, or has the organization's trigger label starts a run.",
  policy: 'standard',
  access: 'edit_pulls',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  body: Type.Object({
    title: IssueTitle,
    body: Type.Optional(Nullable(IssueText)),
    labels: Type.Optional(Nullable(IssueLabels)),
    assigned_to_agent: Type.Optional(Nullable(Type.Boolean())),
  }),
  success: { status: 201, description: 'The issue.', component: 'Issue' },
  errors: ['repo_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const issue = await createIssue(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      userId: caller.userId,
      title: body.title,
      body: body.body ?? '',
      labels: body.labels ?? [],
      isAssignedToAgent: body.assigned_to_agent ?? false,
    })
    return presentIssue(issue, app.publicUrl)
  },
})
