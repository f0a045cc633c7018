import { Type } from 'typebox'
import { requestReviewer } from '#domain/hosts/pulls/request-reviewer.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const requestReviewerRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/reviewers`,
  operationId: 'requestReviewer',
  tag: 'Pull requests',
  summary: 'Request a review from a person',
  description:
    'It appears in their inbox until they review, or the pull request is closed. Someone who has reviewed is asked again. External hosts have their own reviewers.',
  policy: 'standard',
  access: 'edit_pulls',
  params: PullParams,
  body: Type.Object({ user_id: Id }),
  success: { status: 200, description: 'The pull request.', component: 'PullRequest' },
  errors: ['pull_not_found', 'user_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id, userId: body.user_id }
    return presentPull(await requestReviewer(db, { ...ids, by: caller.userId }), app.publicUrl)
  },
})
