import type { CommentedLines } from '#base/hosts/host-facts.ts'

/** A comment on lines that asks something of a run, and is answered in its thread. */
export type AskedThread = {
  commentId: string
  /** The comment that began the thread. */
  threadId: string
  lines: Omit<CommentedLines, 'hunk'>
}

/** By which an agent names a comment: the number in the host's id, which is unique among comments on lines. */
export function labelOf(commentId: string): string {
  return commentId.split(/\D/).findLast(Boolean) ?? commentId
}
