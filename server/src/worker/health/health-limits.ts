/** What is asked of a machine that works at runs, and how often. */
export const healthLimits = {
  /** How long what a worker knows of its machine counts before a claim, and how long a look at it may take. */
  keptMs: 1_000,
  lookMs: 10_000,
  /** The same of what lies outside, which is looked at beside the claims, and of a sandbox after one could not be made. */
  outsideKeptMs: 5_000,
  sandboxKeptMs: 5_000,
  /** A worker takes no run with less free disk: twice what a sandbox needs to begin, and files to make. */
  freeBytesMin: 128 * 1024 * 1024,
  freeFilesMin: 2_000,
} as const
