/** What bounds the large files of repositories (Git LFS). As in `limits.ts`. */
const MiB = 2 ** 20

export const lfsLimits = {
  /** One file. */
  objectBytesMax: 5 * 1024 * MiB,
  /** What has to be left on the disk after it. */
  diskBytesLeft: 256 * MiB,
  /** What one batch may ask for; clients ask for 100. */
  batchObjectsMax: 1_000,
  batchBytesMax: MiB,
} as const
