/**
 * Fields whose column may be null in its table, and never is in these rows: what a statement looks for, or a constraint, excludes it.
 * By the file of the statement. Where neither does, null belongs into the type of the row.
 */
export const neverNull: Record<string, string[]> = {
  // Every token is somebody's; only those for git are not.
  'domain/accounts/sessions/find-session-owner.ts': ['userId'],
  'domain/accounts/tokens/create-token.ts': ['userId'],
  'domain/accounts/tokens/find-principal.ts': ['userId'],
  'domain/accounts/tokens/find-ticket-owner.ts': ['userId'],
  'domain/accounts/tokens/list-tokens.ts': ['userId'],
  'domain/accounts/tokens/rotate-token.ts': ['userId', 'userId'],
  // And those are of an organization.
  'domain/accounts/tokens/find-git-grant.ts': ['organizationId'],
  'domain/hosts/checks/start-check.ts': ['claimId', 'command'],
  'domain/hosts/integrations/find-activity.ts': ['problem'],
  'domain/hosts/jobs/claim-jobs.ts': ['claimId'],
  'domain/hosts/jobs/list-failed-jobs.ts': ['gaveUpAt'],
  'domain/hosts/jobs/renew-jobs.ts': ['claimId'],
  'domain/hosts/pulls/sweep-merges.ts': ['mergeBase', 'mergeCommit'],
  // Forgotten once it is done.
  'domain/hosts/webhooks/get-delivery.ts': ['body'],
  // Made as the step is done.
  'domain/runs/checkpoints/list-checkpoints.ts': ['stepDoneAt'],
  // A run has one before it pushes.
  'domain/runs/git-access/find-push-rule.ts': ['branch'],
  'domain/runs/runs/claim-run.ts': ['leaseId', 'workerId'],
  'domain/runs/runs/get-timeline.ts': ['turn'],
  // Read by the worker that holds the run.
  'domain/runs/runs/get-turn.ts': ['turnStartedAt'],
  'domain/runs/runs/list-held.ts': ['leaseId'],
  'domain/runs/runs/record-links.ts': ['id'],
  // A run that nobody started may start none.
  'domain/runs/runs/start-child-run.ts': ['userId'],
  'domain/runs/steps/find-step-entries.ts': ['seq'],
  'domain/runs/records/read-record.ts': ['beforeStep', 'turn'],
  'domain/runs/steps/list-past.ts': ['beforeStep', 'turn'],
  'domain/runs/subscriptions/read-tools.ts': ['shown'],
  'domain/runs/workers/sweep-workers.ts': ['leaseId', 'workerId', 'leaseId', 'workerId'],
}
