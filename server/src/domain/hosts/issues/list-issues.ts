import { one, rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { issueColumns, issueTables, type Issue } from './issue.ts'

export type ListIssues = {
  organizationId: number
  repoId: number
  state: 'open' | 'closed' | 'all'
  skip: number
  limit: number
}

/** The newest first. Throws `repo_not_found`. */
export async function listIssues(
  db: Db,
  { organizationId, repoId, state, skip, limit }: ListIssues,
): Promise<{ items: Issue[]; total: number }> {
  await getRepo(db, { organizationId, repoId })
  const where = `i.organization_id = $1 and i.repo_id = $2 and ($3 = 'all' or i.state = $3)`
  const { total } = await one<{ total: number }>(db, `select count(*) as total from issues i where ${where}`, [
    organizationId,
    repoId,
    state,
  ])
  const items = await rows<Issue>(
    db,
    `select ${issueColumns} from ${issueTables} where ${where} order by i.number desc offset $4 limit $5`,
    [organizationId, repoId, state, skip, limit],
  )
  return { items, total }
}
