import { maybeOne, type Db } from '#db/pool.ts'
import type { GitGrant } from '#domain/accounts/tokens/find-git-grant.ts'

export type FindDeployGrant = { fingerprint: string; organizationId: number; repoId: number }

/** What a key may do in this repository; undefined where it opens it not. Notes that it was used, once a minute. */
export async function findDeployGrant(
  db: Db,
  { fingerprint, organizationId, repoId }: FindDeployGrant,
): Promise<GitGrant | undefined> {
  const key = await maybeOne<{ id: number; canPush: boolean; isStale: boolean }>(
    db,
    `select id, can_push, coalesce(last_used_at < now() - interval '1 minute', true) as "isStale"
     from deploy_keys where organization_id = $1 and repo_id = $2 and fingerprint = $3`,
    [organizationId, repoId, fingerprint],
  )
  if (!key) return undefined
  if (key.isStale)
    await db.query('update deploy_keys set last_used_at = now() where organization_id = $1 and id = $2', [
      organizationId,
      key.id,
    ])
  return { userId: null, runId: null, deployKeyId: key.id, pushBranches: key.canPush ? null : [] }
}
