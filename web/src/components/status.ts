import type { RunStatus } from '#api.ts'

export const statusWords: Record<RunStatus, string> = {
  queued: 'Queued',
  in_progress: 'Working',
  waiting_for_user: 'Needs you',
  paused: 'Paused',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
}

export const hasEnded = (status: RunStatus): boolean => ['completed', 'failed', 'cancelled'].includes(status)

/** The reason beside a status, as people say it. */
export const detailWords: Record<string, string> = {
  capacity: 'waits for a free slot',
  no_worker: 'no worker may take it',
  no_fit_worker: 'waits until a worker is fit again',
  preparing: 'making a sandbox',
  pausing: 'pausing after this step',
  stopping: 'stopping',
  cloning: 'fetching the code',
  setup: 'setting up',
  working: 'working',
  creating_pr: 'opening a pull request',
  question: 'asks you',
  plan: 'its plan waits for approval',
  budget_reached: 'its budget is used up',
}
