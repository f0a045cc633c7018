import { hostLimits } from '#base/hosts/host-limits.ts'
import type { JobKind } from '#domain/hosts/jobs/job.ts'
import { runCheck } from '#worker/checks/run-check.ts'
import { nodeHealthOf } from '#worker/health/node-health.ts'
import type { JobType } from '#worker/jobs/job-handler.ts'
import { reconcileComparison } from './comparisons/reconcile-comparison.ts'
import { reconcileFixer } from './fixers/reconcile-fixer.ts'
import { handleHostEvent } from './handle-host-event.ts'
import { postStatusComment } from './mentions/post-status-comment.ts'
import { startDueReview } from './reviews/start-due-review.ts'
import { syncIntegration } from './sync-integration.ts'
import { pollRepository } from './webhooks/poll-repository.ts'
import { readDelivery } from './webhooks/read-delivery.ts'

const minute = 60_000
const untilItWorks = { triesMax: Infinity, pauseMs: 2_000, pauseMsMax: 10 * minute }
const untilGivenUp = { triesMax: hostLimits.jobTriesMax, pauseMs: 2_000, pauseMsMax: 30 * minute }

/** What waits for workers beside runs, and who does it. */
export const jobTypes: Record<JobKind, JobType> = {
  sync: { handle: syncIntegration, atOnceMax: 2, tryMsMax: 10 * minute, retry: untilItWorks },
  delivery: { handle: readDelivery, atOnceMax: 8, tryMsMax: minute, retry: untilGivenUp },
  poll: { handle: pollRepository, atOnceMax: 2, tryMsMax: 5 * minute, retry: untilItWorks },
  host_event: { handle: handleHostEvent, atOnceMax: 8, tryMsMax: 45_000, retry: untilGivenUp },
  check: {
    handle: runCheck,
    atOnceMax: 2,
    tryMsMax: null,
    retry: untilItWorks,
    isReady: (app) => nodeHealthOf(app).isFitNow,
  },
  status_comment: { handle: postStatusComment, atOnceMax: 4, tryMsMax: 5 * minute, retry: untilGivenUp },
  fixer: {
    handle: reconcileFixer,
    atOnceMax: 4,
    tryMsMax: minute,
    retry: untilGivenUp,
  },
  comparison: { handle: reconcileComparison, atOnceMax: 2, tryMsMax: 5 * minute, retry: untilGivenUp },
  review: {
    handle: startDueReview,
    atOnceMax: 2,
    tryMsMax: 3 * minute,
    retry: { triesMax: 5, pauseMs: 30_000, pauseMsMax: 10 * minute },
  },
}
