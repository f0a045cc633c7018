/** What bounds calls of models from inside of sandboxes. Sizes in bytes, times in milliseconds unless the name says otherwise. */
const KiB = 1024
const MiB = 1024 * KiB

export const modelLimits = {
  /** One call of a model from inside a sandbox, unpacked; all that one sandbox sends at once; what is held of all of them. */
  modelCallBytesMax: 32 * MiB,
  modelCallsBytesMax: 64 * MiB,
  modelCallsBytesHeldMax: 512 * MiB,
  /** How deep a call is nested, and of how many values it is made. */
  modelCallDepthMax: 100,
  modelCallValuesMax: 250_000,
  /** How long its body may take to arrive. */
  modelCallArrivesMs: 60_000,
  /** What a sandbox may send, and how often: in a second, and at once after it was silent. */
  modelBytesPerSecond: 16 * MiB,
  modelBytesAtOnce: 256 * MiB,
  modelCallsPerSecond: 20,
  modelCallsAtOnce: 400,
  /** Processes that read calls; memory and time of each; how many calls of one organization wait for them. */
  modelReadersMax: 2,
  modelReaderBytesMax: 512 * MiB,
  modelReadMs: 10_000,
  modelReadsWaitingMax: 500,
  /** What of an answer is kept to find in it what was used: a line of a stream, or all; what of it is read at once. */
  modelAnswerBytesKept: 16 * MiB,
  modelAnswerBytesReadHere: 64 * KiB,
  /** What a call may write that does not say how much, where money is limited; the least that is worth asking for; and what
   *  most write. */
  modelOutputTokensDefault: 16_000,
  modelOutputTokensMin: 256,
  modelOutputTokensExpected: 1_000,
  /** How long a call waits for money that others under way have taken, and how often it looks. */
  modelMoneyWaitMs: 120_000,
  modelMoneyLookMs: 200,
  /** For so long before a call it holds that no limit applied. */
  modelUnlimitedMs: 1_000,
  /** How long one answer of a model may take. */
  modelAnswerMs: 60 * 60_000,
} as const
