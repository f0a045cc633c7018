import { webUrl } from '#domain/runs/runs/web-url.ts'
import type { Review } from '#domain/hosts/reviews/review.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentReview(review: Review, publicUrl: string): Components['PullRequestReview'] {
  const { organizationId, runId } = review
  return {
    id: review.id,
    pr_id: review.pullId,
    user_id: review.userId,
    agent_run_id: runId,
    web_url: runId === null ? null : webUrl(publicUrl, { organizationId, runId }),
    verdict: review.verdict,
    body: review.body,
    comments: review.comments,
    head_commit: review.headCommit,
    url: review.url,
    created_at: review.createdAt.toISOString(),
  }
}
