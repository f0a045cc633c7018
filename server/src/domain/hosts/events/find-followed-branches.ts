import { rows, type Db } from '#db/pool.ts'

type FindFollowedBranches = { organizationId: number; repoId: number; branches: string[] }

/**
 * Those of many branches for which a push has consequences: the default branch is checked, people have watched branches reviewed,
 * and open pull requests come from one branch to another. A review that waits for a branch is not wanted once that is deleted.
 */
export async function findFollowedBranches(
  db: Db,
  { organizationId, repoId, branches }: FindFollowedBranches,
): Promise<Set<string>> {
  const followed = await rows<{ branch: string }>(
    db,
    `select branch from (
       select default_branch as branch from repos where organization_id = $1 and id = $2
       union select unnest(watched_branches) from repos where organization_id = $1 and id = $2
       union select unnest(array[head_branch, base_branch]) from pulls where organization_id = $1 and repo_id = $2 and state = 'open'
       union select substr(subject, length('branch:') + 1) from awaited_reviews
         where organization_id = $1 and repo_id = $2 and due_at is not null and subject like 'branch:%'
     ) as f where branch = any($3)`,
    [organizationId, repoId, branches],
  )
  return new Set(followed.map(({ branch }) => branch))
}
