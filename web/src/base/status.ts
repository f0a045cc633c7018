import type { RunStatus } from './api.ts'

export const statusWords: Record<RunStatus, string> = {
  queued: 'Queued',
  in_progress: 'Working',
  waiting_for_user: 'Needs you',
  paused: 'Paused',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
}

/** In the order in which a run may have them. */
export const runStatuses = Object.keys(statusWords) as RunStatus[]

export const hasEnded = (status: RunStatus): boolean => ['completed', 'failed', 'cancelled'].includes(status)

/** The reason beside a status, in plain words. */
export const detailWords: Record<string, string> = {
  capacity: 'waiting for a free slot',
  no_worker: 'no worker can take it',
  no_own_worker: 'waiting for one of your organization’s workers',
  no_fit_worker: 'waiting for a healthy worker',
  preparing: 'creating a sandbox',
  pausing: 'pausing after this step',
  stopping: 'stopping',
  cloning: 'cloning the repository',
  setup: 'running setup',
  working: 'working',
  creating_pr: 'opening a pull request',
  question: 'asks a question',
  plan: 'plan to approve',
  budget_reached: 'budget used up',
  waiting_for_host: 'waiting for the code host',
  waiting_for_runs: 'waiting for its runs',
  handed_over: 'handed over to another worker',
}
