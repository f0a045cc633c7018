import { maybeOne, type Db } from '#db/pool.ts'
import { gitUrl } from '#domain/repos/repo.ts'
import { privateRepositoryName } from './get-run-branch.ts'
import { LeaseLost } from '#domain/runs/holder.ts'
import { createGitToken } from '#domain/accounts/tokens/create-git-token.ts'
import type { GitAccess } from '#domain/accounts/tokens/git-access.ts'
import type { TokenKeys } from '#domain/accounts/tokens/token-keys.ts'

export type OpenGitAccess = { organizationId: number; runId: number; leaseId: string }

/**
 * Lets a worker reach the repository of the run that it holds, and push to the run's branch once it has one. Throws
 * `LeaseLost`.
 */
export async function openGitAccess(
  db: Db,
  keys: TokenKeys,
  { organizationId, runId, leaseId }: OpenGitAccess,
): Promise<GitAccess> {
  const found = await maybeOne<{ branch: string | null; repoId: number | null; name: string | null }>(
    db,
    `select r.branch, p.id as "repoId", p.name from run_heads h join runs r on r.organization_id = h.organization_id and r.id = h.run_id
       left join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
     where h.organization_id = $1 and h.run_id = $2 and h.lease_id = $3`,
    [organizationId, runId, leaseId],
  )
  if (!found) throw new LeaseLost(runId)
  const { branch, repoId, name } = found
  const pushBranches = branch === null ? [] : [branch]
  const secret = await createGitToken(db, keys, { organizationId, run: { runId, leaseId }, repoId, pushBranches })
  return { path: gitUrl('', { organizationId, name: name ?? privateRepositoryName({ runId }) }), secret }
}
