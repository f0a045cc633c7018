import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { issueColumns, issueTables, type Issue } from './issue.ts'

export type IssuePlace = { organizationId: number; repoId: number; number: number }

/** Throws `repo_not_found`, `issue_not_found`. */
export async function getIssue(db: Db, { organizationId, repoId, number }: IssuePlace): Promise<Issue> {
  const issue = await maybeOne<Issue>(
    db,
    `select ${issueColumns} from ${issueTables} where i.organization_id = $1 and i.repo_id = $2 and i.number = $3`,
    [organizationId, repoId, number],
  )
  if (issue) return issue
  await getRepo(db, { organizationId, repoId })
  throw new AppError('issue_not_found', { message: `There is no issue ${number} in this repository.` })
}
