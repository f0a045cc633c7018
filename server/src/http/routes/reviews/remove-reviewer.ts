import { removeReviewer } from '#domain/hosts/pulls/remove-reviewer.ts'
import { presentPull } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { ReviewerParams } from '#http/schemas/pull.ts'

export const removeReviewerRoute = defineRoute({
  method: 'DELETE',
  path: `${organizationPath}/prs/:pr_id/reviewers/:user_id`,
  operationId: 'removeReviewer',
  tag: 'Pull requests',
  summary: 'Remove a reviewer from a pull request',
  description: 'A code owner who was removed is not asked again, unless a person asks them.',
  policy: 'standard',
  access: 'edit_pulls',
  params: ReviewerParams,
  success: { status: 200, description: 'The pull request.', component: 'PullRequest' },
  errors: ['pull_not_found', 'user_not_found'],
  handle: async ({ app, db, params }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id, userId: params.user_id }
    return presentPull(await removeReviewer(db, ids), app.publicUrl)
  },
})
