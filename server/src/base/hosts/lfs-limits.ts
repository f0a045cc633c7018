/** What bounds the large files of repositories (Git LFS). As in `limits.ts`. */
const MiB = 2 ** 20

export const lfsLimits = {
  /** One file. */
  objectBytesMax: 5 * 1024 * MiB,
  /** What has to be left on the disk after it. */
  diskBytesLeft: 256 * MiB,
  /** What a work tree gets of its large files, when no setting says otherwise, and how many. */
  workTreeMiB: 1024,
  workTreeFilesMax: 10_000,
  /** How many small files of a commit are looked at, and what is read of them. */
  smallFilesMax: 200_000,
  smallFilesBytesMax: 64 * MiB,
  /** How many names of files that stay pointers are told. */
  leftNamedMax: 20,
  /** How many are asked for at once in one request, and how many come in at the same time. */
  askedAtOnce: 100,
  broughtAtOnce: 4,
  /** One file that comes from a host elsewhere, or goes there. */
  transferMs: 60 * 60_000,
  answerBytesMax: 4 * MiB,
  redirectsMax: 3,
  /** What one batch may ask for; clients ask for 100. */
  batchObjectsMax: 1_000,
  batchBytesMax: MiB,
} as const
