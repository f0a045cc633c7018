const MiB = 1024 * 1024

/** Bounds of the requests to code hosts elsewhere. Sizes in bytes, times in milliseconds. */
export const codeHostLimits = {
  /** How long one answer takes, how large it is, how many pages of a list are read, and which answers are kept to be asked for
   *  again with an ETag. */
  mentionMs: 30_000,
  /** How long a connection that nobody uses is kept. Shorter than the 5 s after which many servers, Node's among them, close it:
   *  a request that is sent just then fails, though nothing is wrong. */
  hostIdleMs: 4_000,
  hostAnswerBytesMax: 32 * MiB,
  hostPagesMax: 50,
  hostKeptBytes: 16 * MiB,
  /** How many webhooks a host is asked to send again at once: each is a write, between which there are pauses. */
  hostRedeliveredMax: 300,
  /** How often a request that the host could not answer is tried again, and how long is waited for a host that has had enough. */
  hostTriesMax: 3,
  hostPatienceMs: 10_000,
  /** Between two writes of one connection to github.com, as it asks for. */
  hostWritePauseMs: 1_000,
  /** A comment or description as GitHub takes it, in characters. */
  hostTextCharactersMax: 65_536,
  /** What of a check's log is read to find its end. */
  hostLogBytesMax: 64 * MiB,
} as const
