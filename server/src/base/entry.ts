import type { JsonObject } from './json.ts'

/** What a log entry tells of; the words of the public API. */
export type MessageType =
  | 'ACTION'
  | 'PLAN_EVALUATION'
  | 'FINAL_ANSWER'
  | 'ERROR'
  | 'USER_MESSAGE'
  | 'INITIAL_PR_GENERATION'
  | 'PR_CREATION_FAILED'

/** A log entry before it has a number. What is left out is null. */
export type Entry = {
  messageType: MessageType
  thought?: string | null
  toolName?: string | null
  toolInput?: JsonObject | null
  toolOutput?: JsonObject | null
  observation?: JsonObject | string | null
  durationMs?: number | null
}

/** What a model call used; `costUsd` is null where no price is known. */
export type Usage = { inputTokens: number; outputTokens: number; costUsd: number | null }
