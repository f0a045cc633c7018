/** Bounds of how the supervisor looks after its parts. Times in milliseconds. */
export const partLimits = {
  /** A part that has ended is started again after so long; after one that did not last, longer each time. */
  partRestartMsMin: 250,
  partRestartMsMax: 10_000,
  partSettledMs: 60_000,
  /** A part is asked this often whether it lives; one that has not answered so many times in a row is ended. */
  partAskMs: 5_000,
  partUnansweredMax: 12,
  /** A second signal to end that comes so soon is the first one, handed on. */
  signalEchoMs: 1_000,
  /** How long a part may take to say what it measures. */
  partMetricsMs: 2_000,
} as const
