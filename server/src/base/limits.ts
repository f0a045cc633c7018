/** What bounds everything. Sizes in bytes of UTF-8, times in milliseconds unless the name says otherwise. */
const KiB = 1024
const MiB = 1024 * KiB

export const limits = {
  /** A request's body; with images. */
  bodyBytesMax: 1 * MiB,
  bodyWithImagesBytesMax: 20 * MiB,
  promptBytesMax: 256 * KiB,
  metadataBytesMax: 16 * KiB,
  metadataDepthMax: 8,
  jsonDepthMax: 64,
  pageSizeMax: 100,

  /** One log entry, as stored. Beyond it the middle of its longest text is cut and marked. */
  logEntryBytesMax: 256 * KiB,

  /** A worker renews its lease this often; one that has not for `leaseMs` is taken for dead. */
  leaseRenewMs: 2_000,
  leaseMs: 6_000,
  /** How often a worker looks for dead workers, and for queued runs that no notification told it of. */
  sweepMs: 1_000,
  /** Claims of one turn without a finished step in between; then the run fails as `worker_lost`. */
  claimsWithoutProgressMax: 3,

  /** A run's wall clock in minutes when it names none; the most it may name. */
  runMinutesDefault: 60,
  runMinutesMax: 24 * 60,

  /** One sandbox. */
  sandboxMemoryBytes: 2048 * MiB,
  sandboxProcesses: 512,
  sandboxDiskBytes: 4096 * MiB,
  /** One command in it: time when none is given, the most, and what is kept of its output. */
  commandMs: 120_000,
  commandMsMax: 600_000,
  commandOutputBytesMax: 4 * MiB,

  /** What one run may push, as a pack. */
  pushBytesMax: 512 * MiB,
  /** A diff as the API answers it; beyond it the rest is cut and marked. */
  diffBytesMax: 8 * MiB,
  /** A repository's import. */
  importMsMax: 10 * 60_000,
} as const
