import type { App } from '#app/app.ts'
import { runChecks } from '#worker/checks/run-checks.ts'
import { handleHostEvents } from './handle-host-events.ts'
import { pollRepository } from './webhooks/poll-repository.ts'
import { readDeliveries } from './webhooks/read-deliveries.ts'
import { postStatusComments } from './mentions/post-status-comments.ts'
import { reconcileFixers } from './fixers/reconcile-fixers.ts'
import { startDueReview } from './reviews/start-due-review.ts'
import { syncIntegration } from './sync-integration.ts'

/** Does one piece of work, claimed in the database so that nobody else does it too. True where there may be more. */
type HostWork = (app: App, signal: AbortSignal) => Promise<boolean>

/** In the order in which one follows from the other. */
const works: Record<string, HostWork> = {
  integrations: syncIntegration,
  webhooks_read: readDeliveries,
  looks_at_repositories: pollRepository,
  host_work: handleHostEvents,
  checks: runChecks,
  replies: postStatusComments,
  pull_agents: reconcileFixers,
  reviews: startDueReview,
}

/**
 * Does what waits on code hosts, one piece of each kind. Work that fails keeps no other from being done. Answers whether
 * there may be more. Never rejects.
 */
export async function doHostWork(app: App, signal: AbortSignal): Promise<boolean> {
  let isMore = false
  for (const [name, work] of Object.entries(works)) {
    if (signal.aborted) return false
    if (await app.telemetry.chores.do(name, () => work(app, signal))) isMore = true
  }
  return isMore
}
