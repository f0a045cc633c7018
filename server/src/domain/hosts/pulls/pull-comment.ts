import type { HostActor } from '#base/hosts/host-event.ts'

/** What somebody has said of a pull request: of the whole, or of a line of a file as it was before or is now. */
export type PullComment = {
  organizationId: number
  /** Null on another host, as is who of ours wrote it. */
  id: number | null
  pullId: number
  userId: number | null
  /** Who wrote it there; null where nobody knows. */
  author: HostActor | null
  /** Where people read it there. */
  url: string | null
  body: string
  path: string | null
  line: number | null
  side: 'base' | 'head' | null
  /** What its writer saw; null where the host does not say. */
  headCommit: string | null
  /** The review that it came with on the built-in host. */
  reviewId: number | null
  /** Of a comment on a line of the built-in host: the one that began its thread; which is null for that one itself. */
  replyTo: number | null
  threadId: number | null
  /** When its thread was settled, and by whom. */
  resolvedAt: Date | null
  resolvedBy: number | null
  createdAt: Date
}

const ofThread = (column: string) =>
  `(select first.${column} from pull_comments first where first.organization_id = pull_comments.organization_id
    and first.id = coalesce(pull_comments.reply_to, pull_comments.id)) as ${column}`

/** Columns of a `PullComment`, of `pull_comments`. */
export const pullCommentColumns = `organization_id, id, pull_id, user_id,
  null::json as author, null::text as url, body,
  path, line, side, head_commit, review_id, reply_to, case when path is not null then coalesce(reply_to, id) end as thread_id,
  ${ofThread('resolved_at')}, ${ofThread('resolved_by')}, created_at`
