import { maybeOne, type Db } from '#db/pool.ts'
import { findRole } from '#domain/organizations/find-role.ts'
import { may } from '#domain/organizations/roles.ts'
import { findPrincipal } from './find-principal.ts'
import { digestToFind, type TokenKeys } from './token-keys.ts'

/** What a token may do with git on one repository: read it all, and push. */
export type GitGrant = {
  userId: number | null
  runId: number | null
  /** Null: any. None: it only reads. */
  pushBranches: string[] | null
}

export type FindGitGrant = { secret: string; organizationId: number; repoId: number }

/**
 * What the token may do, asked anew for each request: a run's token while the run is held under the token's lease, a
 * person's while its owner is a member. Undefined for any other.
 */
export async function findGitGrant(
  db: Db,
  keys: TokenKeys,
  { secret, organizationId, repoId }: FindGitGrant,
): Promise<GitGrant | undefined> {
  const digest = digestToFind(keys, secret)
  if (!digest) return undefined
  const run = await maybeOne<{ runId: number; pushBranches: string[] }>(
    db,
    `select c.run_id as "runId", c.push_branches as "pushBranches"
     from credentials c join run_heads h on h.organization_id = c.organization_id and h.run_id = c.run_id and h.lease_id = c.lease_id
     where c.digest = $1 and c.kind = 'git' and c.organization_id = $2 and c.repo_id = $3 and c.revoked_at is null and c.expires_at > $4`,
    [digest, organizationId, repoId, keys.clock.now()],
  )
  if (run) return { userId: null, ...run }
  const principal = await findPrincipal(db, keys, secret)
  if (!principal || (principal.organizationId ?? organizationId) !== organizationId) return undefined
  const role = await findRole(db, { organizationId, userId: principal.userId })
  const holder = { role: role ?? null, scopes: principal.scopes }
  if (!may(holder, 'read')) return undefined
  return { userId: principal.userId, runId: null, pushBranches: may(holder, 'push') ? null : [] }
}
