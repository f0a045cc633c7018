import type { ModelConfig } from '#base/models/model-config.ts'

/** Which model providers may be used, and how patient we are with them. */
export type ModelOptions = Partial<ModelConfig> & {
  /** The window of every model; else what is known of it. */
  contextTokens?: number
  /** How long one model call may be tried again, waits included. */
  patienceMs?: number
  /** How long a server may send nothing; three times as long where it is known not to stream. */
  silenceMs?: number
  /** How long one answer may take, however much of it comes. */
  answerMs?: number
  /** How much of one answer is read. */
  answerBytes?: number
}

export const modelDefaults = {
  contextTokens: 128_000,
  patienceMs: 15 * 60_000,
  // Some providers send nothing while a model thinks, and small machines nothing while they read.
  silenceMs: 300_000,
  answerMs: 60 * 60_000,
  // A stream takes about 300 bytes for a token, and no model writes 200,000 of them at once.
  answerBytes: 64 * 1024 * 1024,
  stepsMax: 1_000,
} as const
