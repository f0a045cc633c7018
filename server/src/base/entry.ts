import type { JsonObject } from './json.ts'

/** What a log entry tells of; the words of the public API. */
export const messageTypes = [
  'ACTION',
  'PLAN_EVALUATION',
  'FINAL_ANSWER',
  'ERROR',
  'USER_MESSAGE',
  'USER_GITHUB_ISSUE_COMMENT',
  'USER_GITLAB_ISSUE_COMMENT',
  'USER_GITEA_ISSUE_COMMENT',
  'USER_FORGEJO_ISSUE_COMMENT',
  'USER_BITBUCKET_ISSUE_COMMENT',
  'USER_LOCAL_ISSUE_COMMENT',
  'INITIAL_PR_GENERATION',
  'DETECT_PR_ERRORS',
  'FIX_PR_ERRORS',
  'PR_CREATION_FAILED',
  'PR_EVALUATION',
  'COMMIT_EVALUATION',
  'AGENT_RUN_LINK',
] as const
export type MessageType = (typeof messageTypes)[number]

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

/** How long a run's log is, all of it. */
export type LogSize = { entries: number; bytes: number }

/** What a model call used. */
export type Usage = {
  /** `anthropic/claude-…` */
  model: string
  /** All that the model has read, cached or not. */
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  /** All that it has written, reasoning too. */
  outputTokens: number
  /** Null where no price is known. */
  costUsd: number | null
  /** Where the price is from. */
  priceSource: string | null
}
