/** What somebody has said at an issue of the built-in host. */
export type IssueComment = {
  organizationId: number
  id: number
  issueId: number
  userId: number
  body: string
  createdAt: Date
}

export const issueCommentColumns = `organization_id, id, issue_id, user_id, body,
  created_at`
