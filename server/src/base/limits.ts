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
  /** Headers of a request, all together; how long they, and then the body, may take to arrive. */
  headerBytesMax: 16 * KiB,
  headersMs: 10_000,
  bodyMs: 30_000,

  /** A token that was good a moment ago is good without a look at the database: a revoked one lives this long elsewhere. */
  principalCacheMs: 1_000,
  principalsCachedMax: 1_000,
  /** `last_used_at` of a token is written at most this often. */
  tokenUseMs: 60_000,

  /** One log entry, as stored. Beyond it the middle of its longest text is cut and marked. */
  logEntryBytesMax: 256 * KiB,

  /** A worker renews its lease this often; one that has not for `leaseMs` is taken for dead. */
  leaseRenewMs: 2_000,
  leaseMs: 6_000,
  /** How often a worker looks for dead workers, and for queued runs that no notification told it of. */
  sweepMs: 1_000,
  /** How often a worker removes what runs that have ended left behind, and makes room for new ones. */
  cleanMs: 10_000,
  /** Claims of one turn without a finished step in between; then the run fails as `worker_lost`. */
  claimsWithoutProgressMax: 3,

  /** A run's wall clock in minutes when it names none; the most it may name. */
  runMinutesDefault: 60,
  runMinutesMax: 24 * 60,

  /** One sandbox. */
  sandboxProcesses: 512,
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

  /** One git command of our own on a repository, such as a diff. */
  gitCommandMs: 60_000,
  /** One clone or push over HTTP: its time, and what its request may say before or beside the pack, unpacked. */
  gitServiceMsMax: 60 * 60_000,
  gitRequestBytesMax: 16 * MiB,
  gitCommandsBytesMax: 4 * MiB,
} as const
