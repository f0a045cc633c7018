import { listReviews } from '#domain/hosts/reviews/list-reviews.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentReview } from '#http/present/present-review.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { PageQuery } from '#http/schemas/fields.ts'
import { PullParams } from '#http/schemas/pull.ts'

export const listReviewsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/prs/:pr_id/reviews`,
  operationId: 'listReviews',
  tag: 'Pull requests',
  summary: 'List the reviews of a pull request written in Runwright, oldest first',
  policy: 'standard',
  access: 'read',
  params: PullParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of reviews.', component: 'PullRequestReviewPage' },
  errors: ['pull_not_found'],
  handle: async ({ app, db, params, query }) => {
    const ids = { organizationId: params.org_id, pullId: params.pr_id }
    const { items, total } = await listReviews(db, { ...ids, ...query })
    return pageOf({ items: items.map((review) => presentReview(review, app.publicUrl)), total }, query)
  },
})
