const MiB = 2 ** 20

/** What bounds exports. As in `limits.ts`. */
export const exportLimits = {
  /** At once: of one organization or person, and in one process. */
  perOwnerMax: 2,
  perProcessMax: 4,
  /** When to come back where there is no room. */
  retrySeconds: 30,
  /** Rows that one statement reads, and of tables whose rows may hold megabytes. */
  rowsMax: 500,
  largeRowsMax: 20,
  /** A file of an archive that is made as it is written, of which no more is held in memory. What is longer goes on in the next file. */
  pieceBytes: 8 * MiB,
  /** Whoever takes nothing for so long is dropped, and whoever has not taken all of it after so long. */
  stallMs: 60_000,
  totalMs: 6 * 60 * 60_000,
  /** Files that are not stored any more, which the manifest names. */
  missingNamedMax: 100,
} as const
