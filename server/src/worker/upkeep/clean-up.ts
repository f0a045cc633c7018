import type { App } from '#app/app.ts'
import { sweepTemporaryFolders } from '#base/temporary-folder.ts'
import { sweepBlobs } from '#domain/runs/blobs/sweep-blobs.ts'
import { sweepCheckpoints } from '#domain/runs/checkpoints/sweep-checkpoints.ts'
import { pruneEvents } from '#domain/runs/events/prune-events.ts'
import { sweepAuditEntries } from '#domain/accounts/audit/sweep-audit-entries.ts'
import { sweepOutsideSessions } from '#domain/runs/outside-sessions/sweep-outside-sessions.ts'
import { sweepNotifications } from '#domain/hosts/inbox/sweep-notifications.ts'
import { adoptWork } from '#domain/hosts/jobs/adopt-work.ts'
import { sweepJobs } from '#domain/hosts/jobs/sweep-jobs.ts'
import { startPolls } from '#domain/hosts/polls/start-polls.ts'
import { sweepHostEvents } from '#domain/hosts/events/sweep-host-events.ts'
import { sweepIdempotencyKeys } from '#domain/accounts/idempotency-keys/sweep-idempotency-keys.ts'
import { makePartitions } from '#domain/runs/logs/make-partitions.ts'
import { sweepMerges } from '#domain/hosts/pulls/sweep-merges.ts'
import { sweepSessions } from '#domain/accounts/sessions/sweep-sessions.ts'
import { sweepGitTokens } from '#domain/accounts/tokens/sweep-git-tokens.ts'
import { sweepStreamTickets } from '#domain/accounts/tokens/sweep-stream-tickets.ts'
import { sweepDeliveries } from '#domain/hosts/webhooks/sweep-deliveries.ts'
import { forgetQueuedLabels } from '#domain/runs/runs/forget-queued-labels.ts'
import { markUnserved } from '#domain/runs/workers/mark-unserved.ts'
import { beginArchiving } from './archive-logs.ts'
import { beginCollecting } from './collect-repositories.ts'
import { beginDeleting } from './delete-data.ts'
import { beginInstalling } from './install-engines.ts'
import { beginMaintaining } from './maintain-repositories.ts'
import { cleanSandboxes } from './clean-sandboxes.ts'
import { sweepSnapshots } from '#worker/runs/setup/sweep-snapshots.ts'

export type CleanUp = {
  /** Runs that this process holds itself. */
  except: number[]
}

/**
 * What every process does from time to time, workers and API alike, so that nothing stays behind where the one that made
 * it was killed. A chore that fails keeps no other from being done. Never rejects.
 */
export async function cleanUp(app: App, { except }: CleanUp): Promise<void> {
  const { pool, clock } = app
  const chores: Record<string, () => Promise<unknown>> = {
    sandboxes: () => cleanSandboxes(app, { except }),
    snapshots: () => sweepSnapshots(app),
    temporary_folders: () => sweepTemporaryFolders(app.temporaryFolder),
    pushes: () => app.hosts.admin.sweep(),
    partitions: () => makePartitions(pool),
    events: () => pruneEvents(pool),
    notifications: () => sweepNotifications(pool),
    audit: () => sweepAuditEntries(pool),
    checkpoints: () => sweepCheckpoints(pool),
    blobs: () => sweepBlobs(pool, app.blobs),
    git_tokens: () => sweepGitTokens(pool),
    stream_tickets: () => sweepStreamTickets(pool),
    sessions: () => sweepSessions(pool),
    idempotency_keys: () => sweepIdempotencyKeys(pool, { now: clock.now() }),
    polls: () => startPolls(pool),
    work_without_job: () => adoptWork(pool),
    jobs: () => sweepJobs(pool),
    webhooks: () => sweepDeliveries(pool),
    host_events: () => sweepHostEvents(pool),
    packs: async () => beginMaintaining(app),
    deletions: async () => beginDeleting(app),
    old_logs: async () => beginArchiving(app),
    dead_objects: async () => beginCollecting(app),
    merges: () => sweepMerges(pool, { hosts: app.hosts }),
    outside_sessions: () => sweepOutsideSessions(pool, { mask: app.redactors.own.mask }),
    engines: async () => beginInstalling(app),
    queued_labels: () => forgetQueuedLabels(pool),
    unserved_runs: () => markUnserved(pool),
  }
  for (const [name, chore] of Object.entries(chores)) await app.telemetry.chores.do(name, chore)
}
