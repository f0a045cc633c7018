/** Which runs a run waits for, without a worker. */
export type RunWait = {
  /** Of the step that waits. */
  key: string
  runIds: number[]
  /** ISO 8601. */
  since: string
  /** ISO 8601; it goes on then in any case. */
  until: string
}

/** The `status_detail` of a run that waits for others. */
export const waitingForRuns = 'waiting_for_runs'
