/** What somebody has said of a pull request: of the whole, or of a line of a file as it was before or is now. */
export type PullComment = {
  organizationId: number
  id: number
  pullId: number
  userId: number
  body: string
  path: string | null
  line: number | null
  side: 'base' | 'head' | null
  /** What its writer saw. */
  headCommit: string
  createdAt: Date
}

export const pullCommentColumns = `organization_id as "organizationId", id, pull_id as "pullId", user_id as "userId", body,
  path, line, side, head_commit as "headCommit", created_at as "createdAt"`
