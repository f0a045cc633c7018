/** What bounds deletion, so that nobody waits for it. As in `limits.ts`. */
export const deletionLimits = {
  /** Rows that one transaction deletes at most; and of tables whose rows may hold megabytes. */
  rowsMax: 1_000,
  largeRowsMax: 200,
  /** Runs that are emptied together. */
  runsMax: 100,
  /** Runs of a repository or an organization that is deleted, which one transaction cancels or hides. */
  hiddenRunsMax: 200,
  /** When a repository is looked at once more, for what those have written in it who were at work as it was removed. */
  lookAgainMs: 60 * 60_000,
  /** How often an organization that is deleted is looked at while its runs stop. */
  runsWaitMs: 2_000,
  /** When what could not be removed is tried again. */
  retryMs: 60_000,
  /** How long one clean-up works at deletion, at most about a quarter of the time. */
  workMs: 2_500,
  /** Runs that become due together, and how long after the last look an organization's retention is looked at again. */
  dueRunsMax: 200,
  dueLookMs: 5 * 60_000,
  /** The longest retention, which is a hundred years. */
  daysMax: 36_500,
} as const
