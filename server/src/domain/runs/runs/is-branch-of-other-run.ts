import { maybeOne, type Db } from '#db/pool.ts'

export type BranchOfRun = { organizationId: number; repoId: number; runId: number; branch: string }

/** Whether another run of the repository has this branch for its own, though it may not have pushed it yet. Such a one holds its number. */
export async function isBranchOfOtherRun(
  db: Db,
  { organizationId, repoId, runId, branch }: BranchOfRun,
): Promise<boolean> {
  const numbers = [...branch.matchAll(/\d+/g)].map(([digits]) => Number(digits)).filter(Number.isSafeInteger)
  const other = await maybeOne(
    db,
    `select from runs where organization_id = $1 and id = any($2::bigint[]) and id <> $3 and repo_id = $4 and branch = $5 limit 1`,
    [organizationId, numbers, runId, repoId, branch],
  )
  return other !== undefined
}
