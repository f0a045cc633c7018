import { Type } from 'typebox'
import { createIssueComment } from '#domain/hosts/issues/create-issue-comment.ts'
import { presentIssueComment } from '#http/present/present-issue.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { IssueParams } from '#http/schemas/issue.ts'
import { CommentText } from '#http/schemas/pull.ts'

export const createIssueCommentRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/repos/:repo_id/issues/:n/comments`,
  operationId: 'createIssueComment',
  tag: 'Issues',
  summary: 'Comment on an issue',
  description:
    'A comment that mentions the agent starts a run, or is passed on to the run already working on the issue.',
  policy: 'standard',
  access: 'edit_pulls',
  params: IssueParams,
  body: Type.Object({ body: CommentText }),
  success: { status: 201, description: 'The comment.', component: 'IssueComment' },
  errors: ['repo_not_found', 'issue_not_found'],
  handle: async ({ app, db, params, body, caller }) => {
    const comment = await createIssueComment(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      number: params.n,
      userId: caller.userId,
      body: body.body,
      publicUrl: app.publicUrl,
    })
    return presentIssueComment(comment)
  },
})
