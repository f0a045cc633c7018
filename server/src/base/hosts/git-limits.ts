/** What bounds git over objects that others have made. As in `limits.ts`. */
const KiB = 1024
const MiB = 1024 * KiB

export const gitLimits = {
  /** Memory and processor time of one git that only reads, and of each program that it starts. */
  memoryBytesMax: 512 * MiB,
  cpuSecondsMax: 30,
  /** Processor time where objects come in: a push and an import, of each program. */
  unpackCpuSecondsMax: 300,
  /** What is written of one pack that comes from elsewhere: of an import when no setting says otherwise, and into a mirror. */
  importBytesMax: 2 * 1024 * MiB,
  mirrorPackBytesMax: 8 * 1024 * MiB,
  /** A sender who sends less than this a second for so long is given up. */
  lowSpeedBytes: 100,
  lowSpeedSeconds: 60,

  /** Files beyond it are compared by their ids alone, and shown as changed without their lines. */
  comparedFileBytesMax: 8 * MiB,
  /** A file of which lines around a change are shown, and how many of these at once. */
  shownFileBytesMax: 2 * MiB,
  shownLinesMax: 5_000,
  /** Where more files than this were added and removed, none is taken for renamed. */
  renamesMax: 400,
  /** How many larger ones may be added and removed in what is compared. */
  largeFilesMax: 500,
  /** What is read of a list of changed files; one that is longer is not made. */
  changesBytesMax: 16 * MiB,
  /** Git gathers all of such a list before it prints any: its memory for that. */
  listMemoryBytesMax: 128 * MiB,
  /** The names of all files of a commit, where they are listed. */
  filesBytesMax: 32 * MiB,
  /** What is read of a `.gitmodules`, and how many submodules it may name. */
  gitmodulesBytesMax: 256 * KiB,
  submodulesMax: 500,
  /** How many submodules are checked out in one work tree, and how deep in one another they may lie. */
  submodulesCheckedOutMax: 50,
  submoduleDepthMax: 3,
  /** Branches and tags of one repository. */
  refsMax: 20_000,
  /** How many one push may move. */
  pushRefsMax: 20_000,
  /** More than this are written through to the disk together, not one by one. */
  refsSyncedMax: 100,
  /** Where one push moves more branches than this, only those that something may follow from are looked at by workers. */
  followedMovesMax: 100,

  /** Where a repository has more packs, objects in files of their own, or refs in such files than this, they are put together. */
  packsMax: 24,
  looseObjectsMax: 2_000,
  looseRefsMax: 500,
  packRefsMs: 5 * 60_000,
  /** Who puts a repository in order holds it for so long after they were last heard of. */
  maintenanceHeldMs: 2 * 60_000,
  /** Afterwards it is left alone for so many times as long as it took; and for so long where it failed. */
  restShare: 5,
  restAfterFaultMs: 20 * 60_000,
  /** Of so many repositories one process remembers, between two looks, that they were used. */
  usedReposMax: 10_000,
  /**
   * What is older than this was left by a git that was killed, or for which there was no room on the disk: locks, which are held
   * for moments; temporary packs, which no fetch writes to for as long; and packs that a push keeps until its refs have moved.
   */
  lockLeftMs: 10 * 60_000,
  temporaryLeftMs: 15 * 60_000,
  keepLeftMs: 2 * 60 * 60_000,

  /** A list of branches is read from a mirror that was brought up to date within this, and of so many mirrors that is known. */
  branchesFreshMs: 15_000,
  branchesFreshMax: 1_000,
  /** What the objects of one push may unfold to. */
  pushUnpackedBytesMax: 8 * 1024 * MiB,

  /** Comparisons and merges: at once in one process, of it for one organization; and likewise what takes a moment. */
  comparingAtOnceMax: 6,
  comparingPerOrganizationMax: 2,
  lookingAtOnceMax: 24,
  lookingPerOrganizationMax: 8,
  /** Packs that come in, likewise: a sender may be slow, so that one organization's keep only its own waiting. */
  packsAtOnceMax: 64,
  packsPerOrganizationMax: 6,
  packWaitMs: 5 * 60_000,
  /** Who waits for one of these, and for how long. */
  waitingPerOrganizationMax: 100,
  waitMs: 30_000,
  /** Clones, fetches and pushes over HTTP that one organization may have under way in one process. */
  servedPerOrganizationMax: 64,

  /** Diffs and lists of changed files that one process remembers, by the ids of what they compare. */
  answersKeptBytesMax: 32 * MiB,
} as const
