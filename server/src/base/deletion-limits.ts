/** What bounds deletion, so that nobody waits for it. As in `limits.ts`. */
export const deletionLimits = {
  /** Rows that one transaction deletes at most; and of tables whose rows may hold megabytes. */
  rowsMax: 1_000,
  largeRowsMax: 200,
  /** Runs that are emptied together. */
  runsMax: 100,
  /** How long one clean-up works at deletion, at most about a quarter of the time. */
  workMs: 2_500,
  /** Runs that become due together, and how long after the last look an organization's retention is looked at again. */
  dueRunsMax: 200,
  dueLookMs: 5 * 60_000,
  /** The longest retention, which is a hundred years. */
  daysMax: 36_500,
} as const
