const KiB = 1024

/** Runs of one comparison, the commands that judge them, and the files that are put beside those, together. */
export const comparisonLimits = {
  contestantsMin: 2,
  contestantsMax: 8,
  judgesMax: 10,
  judgeFilesMax: 64,
  judgeFilesBytesMax: 512 * KiB,
} as const
