import type { App } from '#app/app.ts'
import { pruneEvents } from '#domain/runs/events/prune-events.ts'
import { sweepAuditEntries } from '#domain/accounts/audit/sweep-audit-entries.ts'
import { sweepIdempotencyKeys } from '#domain/accounts/idempotency-keys/sweep-idempotency-keys.ts'
import { sweepSessions } from '#domain/accounts/sessions/sweep-sessions.ts'
import { sweepGitTokens } from '#domain/accounts/tokens/sweep-git-tokens.ts'
import { sweepStreamTickets } from '#domain/accounts/tokens/sweep-stream-tickets.ts'
import { sweepHostEvents } from '#domain/hosts/events/sweep-host-events.ts'
import { sweepNotifications } from '#domain/hosts/inbox/sweep-notifications.ts'
import { adoptWork } from '#domain/hosts/jobs/adopt-work.ts'
import { sweepJobs } from '#domain/hosts/jobs/sweep-jobs.ts'
import { startPolls } from '#domain/hosts/polls/start-polls.ts'
import { sweepDeliveries } from '#domain/hosts/webhooks/sweep-deliveries.ts'
import { sweepCheckpoints } from '#domain/runs/checkpoints/sweep-checkpoints.ts'
import { makePartitions } from '#domain/runs/logs/make-partitions.ts'
import { sweepOutsideSessions } from '#domain/runs/outside-sessions/sweep-outside-sessions.ts'
import { forgetQueuedLabels } from '#domain/runs/runs/forget-queued-labels.ts'
import { sumQueueChanges } from '#domain/runs/runs/sum-queue-changes.ts'
import { markUnserved } from '#domain/runs/workers/mark-unserved.ts'
import { releaseStrayRuns } from '#domain/runs/workers/sweep-workers.ts'
import { applyRetention } from '#domain/runs/deletions/apply-retention.ts'
import { beginArchiving } from './archive-logs.ts'
import { openRounds, type Chore } from './rounds.ts'
import { sweepOptions } from './sweep.ts'

/** What the leading process does from time to time for the whole service. A chore that fails keeps no other from being done. Never rejects. */
export function openChores(app: App): () => Promise<void> {
  const { pool, clock, telemetry } = app
  /** For these, somebody waits. */
  const always: Record<string, () => Promise<unknown>> = {
    partitions: () => makePartitions(pool),
    polls: () => startPolls(pool),
    work_without_job: () => adoptWork(pool),
    queued_labels: () => forgetQueuedLabels(pool),
    queue_changes: () => sumQueueChanges(pool),
    unserved_runs: () => markUnserved(pool),
    unknown_workers: () => releaseStrayRuns(pool, sweepOptions(app)),
    old_logs: async () => beginArchiving(app),
  }
  const others: Record<string, Chore> = {
    events: () => pruneEvents(pool),
    notifications: () => sweepNotifications(pool),
    audit: () => sweepAuditEntries(pool),
    checkpoints: () => sweepCheckpoints(pool),
    git_tokens: () => sweepGitTokens(pool),
    stream_tickets: () => sweepStreamTickets(pool),
    sessions: () => sweepSessions(pool),
    idempotency_keys: () => sweepIdempotencyKeys(pool, { now: clock.now() }),
    jobs: () => sweepJobs(pool),
    webhooks: () => sweepDeliveries(pool),
    host_events: () => sweepHostEvents(pool),
    retention: () => applyRetention(pool),
    outside_sessions: () => sweepOutsideSessions(pool, { mask: app.redactors.own.mask }),
  }
  const doRounds = openRounds(app)
  return async () => {
    for (const [name, chore] of Object.entries(always)) await telemetry.chores.do(name, chore)
    await doRounds(others)
  }
}
