import { one, rows, type Db } from '#db/pool.ts'
import { getIssue, type IssuePlace } from './get-issue.ts'
import { issueCommentColumns, type IssueComment } from './issue-comment.ts'

export type ListIssueComments = IssuePlace & { skip: number; limit: number }

/** The oldest first. Throws `issue_not_found`. */
export async function listIssueComments(
  db: Db,
  { skip, limit, ...place }: ListIssueComments,
): Promise<{ items: IssueComment[]; total: number }> {
  const { organizationId, id } = await getIssue(db, place)
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from issue_comments where organization_id = $1 and issue_id = $2',
    [organizationId, id],
  )
  const items = await rows<IssueComment>(
    db,
    `select ${issueCommentColumns} from issue_comments where organization_id = $1 and issue_id = $2 order by id offset $3 limit $4`,
    [organizationId, id, skip, limit],
  )
  return { items, total }
}
