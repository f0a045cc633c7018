/** Bounds of the compression of answers; see docs/decisions/0050-compress-json-as-it-is-sent.md. */
export const compressionLimits = {
  /** A shorter answer fits into one packet anyway. */
  bytesMin: 1_400,
  /** A longer one would hold a thread, and its copy in memory, for too long. */
  bytesMax: 16 * 1024 * 1024,
  /** Threads that compress are those that also read files: an answer for which there is no room goes out as it is. */
  atOnceMax: 8,
  /** Higher levels make pages of runs and logs 2 % smaller, in up to twice the time. */
  level: 4,
} as const
