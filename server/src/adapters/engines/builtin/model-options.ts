import type { ModelConfig } from '#base/models/model-config.ts'

/** Which model providers may be used, and how patient we are with them. */
export type ModelOptions = Partial<ModelConfig> & {
  /** The window of every model; else what is known of it. */
  contextTokens?: number
  /** How long one model call may be tried again, waits included. */
  patienceMs?: number
  /** How long one request may go unanswered. */
  silenceMs?: number
}

export const modelDefaults = {
  contextTokens: 128_000,
  patienceMs: 15 * 60_000,
  // Answers are not streamed, so a long one looks like silence. Node's own fetch gives up after 300 s.
  silenceMs: 280_000,
  stepsMax: 1_000,
} as const
