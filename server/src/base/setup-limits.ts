/** What bounds how work trees are prepared, and what a repository says of that. As in `limits.ts`. */
const KiB = 1024
const MiB = 1024 * KiB

export const setupLimits = {
  /** A repository's `.runwright.yml`: its size, how many of its faults are told, and what it may name. */
  fileBytesMax: 64 * KiB,
  problemsMax: 20,
  commandsMax: 50,
  hooksMax: 10,
  pathPatternsMax: 100,
  pathPatternCharactersMax: 300,

  /** Files that say what an installation installs: how many are watched, and how large one may be. */
  lockfilesMax: 20,
  lockfileBytesMax: 32 * MiB,

  /** Preparing a work tree: all commands together; what is kept of the output of each, and told of its end. */
  commandsMs: 20 * 60_000,
  outputBytesMax: 64 * KiB,
  tailCharacters: 4_000,
  /** What a setup leaves, where it is kept for later work trees: one; packing it, or unpacking; what of it waits for the disk. */
  snapshotBytesMax: 4 * 1024 * MiB,
  packMs: 5 * 60_000,
  bufferBytesMax: 256 * MiB,
  /** Whoever makes one says so this long at most without a word; whoever waits for it looks this often. */
  claimMs: 30_000,
  pollMs: 250,
  /** For so long those who need the same are told that it failed, without another try. */
  failureKeptMs: 60_000,
  /** Files of one that is gone stay so long after somebody began to use them. */
  filesKeptMs: 10 * 60_000,
} as const
