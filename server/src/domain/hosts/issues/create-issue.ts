import { AppError } from '#base/errors.ts'
import type { Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takeNumber } from '#domain/repos/repos/take-number.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getIssue } from './get-issue.ts'
import { labelsOf, type Issue } from './issue.ts'
import { recordIssueEvents } from './record-issue-events.ts'

export type CreateIssue = {
  organizationId: number
  repoId: number
  userId: number
  title: string
  body: string
  labels: string[]
  isAssignedToAgent: boolean
}

/** Throws `repo_not_found`, `conflict` for a repository that is archived, or whose issues another host has. */
export async function createIssue(db: Db, request: CreateIssue): Promise<Issue> {
  const { organizationId, repoId, userId, title, body, labels, isAssignedToAgent } = request
  return inTransaction(db, async (tx) => {
    const repo = await getRepo(tx, { organizationId, repoId })
    if (repo.host !== 'local' || repo.archived) throw new AppError('conflict', { message: whyNot(repo) })
    const number = await takeNumber(tx, { organizationId, repoId })
    await tx.query(
      `insert into issues (organization_id, repo_id, number, user_id, title, body, labels, is_assigned_to_agent)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [organizationId, repoId, number, userId, title, body, labelsOf(labels), isAssignedToAgent],
    )
    const issue = await getIssue(tx, { organizationId, repoId, number })
    await recordIssueEvents(tx, { before: null, issue, userId })
    return issue
  })
}

function whyNot({ id, archived, host }: Repo): string {
  return archived ? `Repository ${id} is archived.` : `The issues of repository ${id} are managed on ${host}.`
}
