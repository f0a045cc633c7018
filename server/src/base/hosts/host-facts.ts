/** What code hosts tell of what they have, in one set of words for all of them. */
import type { HostActor } from './host-event.ts'

/** What a host knows of a pull request now. */
export type HostPull = {
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  /** Null where the account is gone. */
  author: HostActor | null
  head: { branch: string; commit: string; isFromFork: boolean }
  base: { branch: string }
  mergeCommit: string | null
  /** Left out where the host has to be asked for it; null where it does not know yet. */
  mergeability?: Mergeability | null
  createdAt: Date
  updatedAt: Date
}
/**
 * Whether a pull request goes into its base: as it is, only once it holds all of the base (`behind`), not before its conflicts
 * are resolved, or not for another reason.
 */
export type Mergeability = 'clean' | 'behind' | 'conflicts' | 'impossible'

/** What is left out stays as it is. */
export type HostPullChanges = {
  title?: string
  body?: string
  state?: 'open' | 'closed' | 'draft' | 'ready_for_review'
}

/** One push to a branch: from which commit to which; null where there was no branch before, or is none after it. */
export type HostPush = {
  before: string | null
  after: string | null
  /** Null where the host does not say. */
  actor: HostActor | null
}

export const checkStatuses = ['queued', 'in_progress', 'completed'] as const
export type CheckStatus = (typeof checkStatuses)[number]

export const checkConclusions = [
  'success',
  'failure',
  'cancelled',
  'timed_out',
  'neutral',
  'skipped',
  'action_required',
  'stale',
  'startup_failure',
] as const
export type CheckConclusion = (typeof checkConclusions)[number]
/** With which a check keeps nothing from being merged. */
export const passedConclusions: ReadonlySet<string | null> = new Set(['success', 'neutral', 'skipped'])

export type HostCheck = {
  /** One of a commit's, and the same at the next look. */
  key: string
  name: string
  /** Who runs it: `local`, `github-actions`, `api`. */
  app: string
  status: CheckStatus
  /** Null until it is completed. */
  conclusion: CheckConclusion | null
  url: string | null
  /** What it says of itself in short. */
  summary: string | null
  hasLog: boolean
  startedAt: Date | null
  completedAt: Date | null
}

/** What a comment on a pull request is about. */
export type CommentedLines = {
  path: string
  /** The last of them, and the first where there are several. */
  line: number
  startLine?: number
  side: 'base' | 'head'
  /** The commit that its writer saw, and the part of the diff up to the last line, as far as the host gives them. */
  commit?: string
  hunk?: string
}

export type HostComment = {
  id: string
  url: string
  body: string
  author: HostActor | null
  createdAt: Date
  /** The review that it came with, and the comment that began its thread; left out where the host has neither. */
  reviewId?: string
  threadId?: string
  /** Of a comment on a line of a pull request. */
  line: CommentedLines | null
}
