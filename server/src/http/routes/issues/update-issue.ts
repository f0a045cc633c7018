import { Type } from 'typebox'
import { updateIssue } from '#domain/hosts/issues/update-issue.ts'
import { presentIssue } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, Word } from '#http/schemas/fields.ts'
import { IssueLabels, IssueParams, IssueText, IssueTitle } from '#http/schemas/issue.ts'

export const updateIssueRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/repos/:repo_id/issues/:n`,
  operationId: 'updateIssue',
  tag: 'Issues',
  summary: 'Edit, close, label, or assign an issue on the built-in host',
  description:
    "Fields that are omitted or null are left unchanged. Assigning the issue to the agent, or adding the organization's trigger label, starts a run.",
  policy: 'standard',
  access: 'edit_pulls',
  params: IssueParams,
  body: Type.Object({
    title: Type.Optional(Nullable(IssueTitle)),
    body: Type.Optional(Nullable(IssueText)),
    state: Type.Optional(Nullable(Word(['open', 'closed']))),
    labels: Type.Optional(Nullable(IssueLabels)),
    assigned_to_agent: Type.Optional(Nullable(Type.Boolean())),
  }),
  success: { status: 200, description: 'The issue.', component: 'Issue' },
  errors: ['repo_not_found', 'issue_not_found'],
  handle: async ({ app, db, params, body, caller }) => {
    const issue = await updateIssue(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      number: params.n,
      userId: caller.userId,
      title: body.title ?? undefined,
      body: body.body ?? undefined,
      state: body.state ?? undefined,
      labels: body.labels ?? undefined,
      isAssignedToAgent: body.assigned_to_agent ?? undefined,
    })
    return presentIssue(issue, app.publicUrl)
  },
})
