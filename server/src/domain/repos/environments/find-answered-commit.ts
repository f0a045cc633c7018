import { one, type Db } from '#db/pool.ts'
import type { Repo } from '#domain/repos/repo.ts'

export type FindAnsweredCommit = {
  repo: Pick<Repo, 'organizationId' | 'id' | 'defaultBranch'>
  /** Of the code host, now. */
  branches: ReadonlyMap<string, string>
  baseBranch: string
  /** Where it stood when the work began. */
  baseCommit: string | null
}

/**
 * The commit by whose `.runwright.yml` work on a base branch goes. People answer for a base branch, unless agents push to
 * it: then it goes by the default branch, which they cannot push to. Null where there is none.
 */
export async function findAnsweredCommit(db: Db, options: FindAnsweredCommit): Promise<string | null> {
  const { repo, branches, baseBranch, baseCommit } = options
  if (baseBranch === repo.defaultBranch) return baseCommit
  const { isWorkedOn } = await one<{ isWorkedOn: boolean }>(
    db,
    `select exists (select from runs where organization_id = $1 and repo_id = $2 and branch = $3)
       or exists (select from deleted_runs where organization_id = $1 and repo_id = $2 and branch_digest = sha256(convert_to($3, 'UTF8'))) as "isWorkedOn"`,
    [repo.organizationId, repo.id, baseBranch],
  )
  return isWorkedOn ? (branches.get(repo.defaultBranch) ?? null) : baseCommit
}
