import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getIssue, type IssuePlace } from './get-issue.ts'
import { labelsOf, type Issue } from './issue.ts'
import { recordIssueEvents } from './record-issue-events.ts'

/** What is undefined stays as it is. */
export type UpdateIssue = IssuePlace & {
  /** Who changes it. */
  userId: number
  title: string | undefined
  body: string | undefined
  state: Issue['state'] | undefined
  labels: string[] | undefined
  isAssignedToAgent: boolean | undefined
}

/** Throws `issue_not_found`. */
export async function updateIssue(db: Db, { userId, ...request }: UpdateIssue): Promise<Issue> {
  const { organizationId, repoId, number, title, body, state, labels, isAssignedToAgent } = request
  return inTransaction(db, async (tx) => {
    // Of two changes at once the second sees what the first has made.
    await tx.query('select from issues where organization_id = $1 and repo_id = $2 and number = $3 for update', [
      organizationId,
      repoId,
      number,
    ])
    const before = await getIssue(tx, request)
    await tx.query(
      `update issues set title = coalesce($4, title), body = coalesce($5, body), state = coalesce($6, state),
         labels = coalesce($7, labels), is_assigned_to_agent = coalesce($8, is_assigned_to_agent), updated_at = now()
       where organization_id = $1 and repo_id = $2 and number = $3`,
      [organizationId, repoId, number, title, body, state, labels && labelsOf(labels), isAssignedToAgent],
    )
    const issue = await getIssue(tx, request)
    await recordIssueEvents(tx, { before, issue, userId })
    return issue
  })
}
