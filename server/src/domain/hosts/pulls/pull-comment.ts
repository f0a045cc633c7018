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
  createdAt: Date
}

export const pullCommentColumns = `organization_id, id, pull_id, user_id,
  null::json as author, null::text as url, body,
  path, line, side, head_commit, created_at`
