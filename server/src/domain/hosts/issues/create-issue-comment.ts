import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordComment } from '#domain/hosts/events/record-comment.ts'
import { getIssue, type IssuePlace } from './get-issue.ts'
import { issueUrl } from './issue.ts'
import { issueCommentColumns, type IssueComment } from './issue-comment.ts'

export type CreateIssueComment = IssuePlace & {
  userId: number
  body: string
  /** Where people reach the service. */
  publicUrl: string
}

/** Throws `issue_not_found`. */
export async function createIssueComment(db: Db, request: CreateIssueComment): Promise<IssueComment> {
  const { organizationId, userId, body, publicUrl } = request
  return inTransaction(db, async (tx) => {
    const issue = await getIssue(tx, request)
    const comment = await one<IssueComment>(
      tx,
      `insert into issue_comments (organization_id, issue_id, user_id, body) values ($1, $2, $3, $4) returning ${issueCommentColumns}`,
      [organizationId, issue.id, userId, body],
    )
    const { repoId, number } = issue
    const on = { kind: 'issue', number } as const
    await recordComment(tx, { organizationId, repoId, on, comment, url: issueUrl(publicUrl, issue) })
    return comment
  })
}
