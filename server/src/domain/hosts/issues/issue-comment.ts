/** What somebody has said at an issue of the built-in host. */
export type IssueComment = {
  organizationId: number
  id: number
  issueId: number
  userId: number
  body: string
  createdAt: Date
}

export const issueCommentColumns = `organization_id as "organizationId", id, issue_id as "issueId", user_id as "userId", body,
  created_at as "createdAt"`
