import { maybeOne, type Db } from '#db/pool.ts'
import { findRole } from '#domain/accounts/organizations/find-role.ts'
import { may } from '#domain/accounts/users/roles.ts'
import { findPrincipal } from './find-principal.ts'
import { digestsToFind, type TokenKeys } from './token-keys.ts'

/** What a token, or a deploy key, may do with git on one repository: read it all, and push. */
export type GitGrant = {
  userId: number | null
  runId: number | null
  deployKeyId?: number
  /** Null: any. None: it only reads. */
  pushBranches: string[] | null
}

/** `repoId` null: a run's own repository, or one that does not exist. */
export type FindGitGrant = { secret: string; organizationId: number; repoId: number | null; runId?: number | null }

/**
 * What the token may do, asked anew for each request: a run's token while the run is held under the token's lease, a
 * worker's for a while, a person's while its owner is a member. `elsewhere` for one that is good, but not for this repository; undefined for one
 * that is no good.
 */
export async function findGitGrant(
  db: Db,
  keys: TokenKeys,
  { secret, organizationId, repoId, runId: ownerId = null }: FindGitGrant,
): Promise<GitGrant | 'elsewhere' | undefined> {
  const ours = await findOurGrant(db, keys, secret)
  if (ours) {
    const { runId, pushBranches } = ours
    const isHere =
      ours.organizationId === organizationId && ours.repoId === repoId && (repoId !== null || runId === ownerId)
    return isHere ? { userId: null, runId, pushBranches } : 'elsewhere'
  }
  const principal = await findPrincipal(db, keys, secret)
  if (!principal) return undefined
  if (repoId === null || (principal.organizationId ?? organizationId) !== organizationId) return 'elsewhere'
  const role = await findRole(db, { organizationId, userId: principal.userId })
  const holder = { role: role ?? null, scopes: principal.scopes }
  if (!may(holder, 'read')) return 'elsewhere'
  return { userId: principal.userId, runId: null, pushBranches: may(holder, 'push') ? null : [] }
}

type OurGrant = { organizationId: number; repoId: number | null; runId: number | null; pushBranches: string[] }

/** Of a token that was made for a run, or for a worker. */
async function findOurGrant(db: Db, keys: TokenKeys, secret: string): Promise<OurGrant | undefined> {
  const digests = digestsToFind(keys, secret)
  if (!digests) return undefined
  return maybeOne<OurGrant>(
    db,
    `select c.organization_id, c.repo_id, c.run_id, c.push_branches
     from credentials c left join run_heads h on h.organization_id = c.organization_id and h.run_id = c.run_id and h.lease_id = c.lease_id
     where c.digest = any($1) and c.kind = 'git' and c.revoked_at is null and c.expires_at > $2 and (c.run_id is null or h.run_id is not null)`,
    [digests, keys.clock.now()],
  )
}
