import { Type } from 'typebox'
import { updatePullComment } from '#domain/hosts/pulls/update-pull-comment.ts'
import { presentPullComment } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PullCommentParams } from '#http/schemas/pull.ts'

export const updatePullCommentRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/prs/:pr_id/comments/:comment_id`,
  operationId: 'updatePullComment',
  tag: 'Pull requests',
  summary: 'Resolve the thread of a comment, or reopen it',
  description: 'Threads of an external host are resolved there.',
  policy: 'standard',
  access: 'edit_pulls',
  params: PullCommentParams,
  body: Type.Object({ resolved: Type.Boolean() }),
  success: { status: 200, description: 'The comment.', component: 'PullRequestComment' },
  errors: ['pull_not_found', 'comment_not_found'],
  handle: async ({ db, params, body, caller }) => {
    const { org_id: organizationId, pr_id: pullId, comment_id: commentId } = params
    const isResolved = body.resolved
    const comment = await updatePullComment(db, {
      organizationId,
      pullId,
      commentId,
      userId: caller.userId,
      isResolved,
    })
    return presentPullComment(comment)
  },
})
