import type { PullRequestComment } from '@runwright/sdk'

/** A comment that began a thread, or stands for itself, with the replies to it. */
export type Thread = { first: PullRequestComment; replies: PullRequestComment[] }

/** In the order in which they began. */
export function groupThreads(comments: readonly PullRequestComment[]): Thread[] {
  const threads = new Map<number | string | null, Thread>()
  for (const comment of comments) {
    const known = comment.in_reply_to === null ? undefined : threads.get(comment.in_reply_to)
    if (known) known.replies.push(comment)
    else threads.set(comment.id ?? comment.url, { first: comment, replies: [] })
  }
  return [...threads.values()]
}
