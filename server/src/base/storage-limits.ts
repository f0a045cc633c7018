/** What bounds bytes that stay. As in `limits.ts`; settings of the operator where one is named. */
const MiB = 2 ** 20
const GiB = 1024 * MiB

export const storageLimits = {
  /** What an organization, one repository and one run may take up (RUNWRIGHT_STORAGE_MIB and its like). */
  organizationMiB: 100 * 1024,
  repoMiB: 20 * 1024,
  runMiB: 4 * 1024,
  /** What one run's log may hold. */
  logMiB: 1024,
  /** The most that a setting may say. */
  mostMiB: 1024 * 1024 * 1024,

  /** A repository is looked at so long after something came in, and again while it holds what may go later. */
  lookMs: 60_000,
  lookAgainMs: 60 * 60_000,
  /** Dead objects are collected where they are more than this, and more than this share of the living. */
  deadBytesMin: 50 * MiB,
  deadShare: 0.5,
  /** What nothing names is kept for so long: who reads or builds on it may still be at it. A run takes a day at most. */
  deadKeptMs: 26 * 60 * 60_000,
  /** How long counting and repacking one repository may take, and with how much memory. */
  collectMs: 30 * 60_000,
  collectCpuSeconds: 15 * 60,
  collectMemoryBytes: 2 * GiB,

  /** Of an organization's repositories, so many of the largest are shown. */
  shownReposMax: 20,
} as const
