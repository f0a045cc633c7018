import type { HostEvent } from '#base/hosts/host-event.ts'
import { limits } from '#base/limits.ts'
import { awaitReview } from '#domain/hosts/reviews/await-review.ts'
import { forgetAwaitedReview } from '#domain/hosts/reviews/forget-awaited-review.ts'
import { getReviewSettings } from '#domain/hosts/reviews/get-review-settings.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'
import { canReview } from './await-pull-review.ts'

type PushEvent = Extract<HostEvent, { type: 'push' }>

/** Has what people push to a watched branch looked at, once for all pushes that follow each other closely. */
export const awaitCommitsReview: Handler<PushEvent> = async (app, { organizationId, repo, event }) => {
  const { branch, before, after, runId } = event
  const ids = { organizationId, repoId: repo.id, subject: `branch:${branch}` }
  if (after === null) {
    await forgetAwaitedReview(app.pool, ids)
    return null
  }
  // What a new branch holds came from another one.
  if (runId !== null || before === null || !(await canReview(app, ids))) return null
  const { watchedBranches } = await getReviewSettings(app.pool, ids)
  if (!watchedBranches.includes(branch)) return null
  const isNew = await awaitReview(app.pool, { ...ids, commit: after, base: before, settleMs: limits.reviewSettleMs })
  return isNew ? `to be looked at, up to ${after}` : null
}
